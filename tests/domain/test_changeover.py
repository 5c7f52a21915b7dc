"""A change of the rules in the kernel: as it is stored, folded for each viewer, and decided again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain import wire
from domain.commands import AnswerRules, Join, Move, ProposeRules
from domain.decide import decide
from domain.events import RulesAnswered, RulesChanged
from domain.game import NewerRulesError
from domain.hidden import ALL, NOBODY, Hidden, Sees, redact
from domain.match import Act, Match, Refused, seen_event
from domain.rulebook import folded
from replay.audit import verify_log
from replay.verify import Judge
from tests.support import toy_2
from tests.support.changing import FIRST, Changing, changed_over
from tests.support.dice import RandomDice
from tests.support.playing import Playing, Setup, player


@pytest.fixture(scope="module")
def playing() -> Playing:
    return changed_over()


def changed_at(playing: Playing) -> int:
    return playing.match.table.changed


@pytest.mark.parametrize("sees", [ALL, NOBODY, frozenset({0}), frozenset({2})], ids=str)
def test_every_viewer_folds_its_own_part_to_the_whole_redacted(playing: Playing, sees: Sees) -> None:
    for count in range(1, len(playing.entries) + 1):
        known = folded(playing.match_id, FIRST, [wire.redacted(e, sees) for e in playing.entries[:count]], sees)
        whole = playing.matches[count - 1]
        assert known is not None
        assert known.state == (None if whole.node is None else redact(whole.state, sees))
        assert (known.to_move, known.since, known.outcome) == (whole.to_move, whole.since, whole.outcome)
        assert (known.table.rules, known.game.version) == (whole.table.rules, whole.table.rules)


def test_the_state_of_each_version_is_of_its_rules(playing: Playing) -> None:
    match, changed = playing.match, changed_at(playing)
    assert 8 < changed < match.version
    for version in range(match.table.first, match.version + 1):
        node, game = match.node_at(version), match.game_at(version)
        assert node is not None
        assert game.version == (1 if version < changed else 2)
        assert type(node.state) is game.state
        assert game.view(node.state)
    assert (match.table.at(0).options, match.table.options) == (FIRST.options(hand=3), toy_2.Options(3))
    assert match.node_at(changed - 1).turn == match.node_at(changed).turn  # type: ignore[union-attr]


def test_the_change_is_decided_again_and_a_forged_one_is_found(playing: Playing) -> None:
    changed = changed_at(playing)
    judge = Judge(playing.match_id, FIRST, playing.seed)
    for commit in playing.commits[: changed - 1]:
        assert judge.judge(commit) is None
    good = playing.commits[changed - 1]
    answer, change = good.events
    assert isinstance(answer, RulesAnswered)
    assert isinstance(change, RulesChanged)
    richer = replace(change, state=replace(change.state, points=(9, 0, 0)))
    for events in ((answer, richer), (answer,), (answer, replace(change, options=toy_2.Options(1)))):
        fault = judge.judge(replace(good, events=events))
        assert fault is not None
        assert (fault.version, fault.kind) == (changed, "illegal")
    assert judge.judge(good) is None
    assert all(judge.judge(commit) is None for commit in playing.commits[changed:])
    assert judge.decides


def test_bytes_of_both_versions_are_canonical_and_verified(playing: Playing) -> None:
    found = list(verify_log(playing.match_id, FIRST, playing.entries, playing.seed))
    assert found == [None] * len(playing.entries)


def test_the_change_is_read_by_either_record_and_hides_what_it_must(playing: Playing) -> None:
    entry = playing.entries[changed_at(playing) - 1]
    assert wire.decode(FIRST, entry) == wire.decode(toy_2.GAME, entry)
    seen = wire.decode(FIRST, entry, frozenset({1})).events[1].state
    assert [hand.cards is None for hand in seen.hands] == [True, False, True]
    assert "Secret(" not in repr(seen_event(playing.commits[entry.version - 1].events[1], NOBODY))
    assert any(isinstance(card, Hidden) for card in getattr(seen.doing, "laid", ())) or seen.pile.cards is None


def test_without_the_new_rules_the_change_is_of_a_newer_release(playing: Playing) -> None:
    with pytest.raises(NewerRulesError):
        wire.decode(toy_2.FIRST, playing.entries[changed_at(playing) - 1])
    with pytest.raises(NewerRulesError):
        list(verify_log(playing.match_id, toy_2.FIRST, playing.entries, playing.seed))


def test_an_answer_to_a_proposal_of_a_newer_process_is_not_decided(playing: Playing) -> None:
    asked = changed_at(playing) - 2
    match = folded(playing.match_id, toy_2.FIRST, playing.entries[:asked])
    assert isinstance(match, Match)
    declined = decide(match, AnswerRules(1, False, asked), Act(player(1), 1, RandomDice()))
    assert declined == (RulesAnswered(1, False),)
    accepted = decide(match, AnswerRules(1, True, asked), Act(player(1), 1, RandomDice()))
    assert accepted == (RulesAnswered(1, True),)
    match = folded(playing.match_id, toy_2.FIRST, playing.entries[: asked + 1])
    assert isinstance(match, Match)
    with pytest.raises(NewerRulesError):
        decide(match, AnswerRules(2, True, asked), Act(player(2), 1, RandomDice()))


def test_without_its_rules_nothing_of_a_match_is_decided(playing: Playing) -> None:
    match = folded(playing.match_id, toy_2.ONLY_2, playing.entries[:6])
    assert isinstance(match, Match)
    assert not match.table.has_rules
    for command in (Move(0, None), Join(), ProposeRules(0, 2)):
        refused = decide(match, command, Act(player(0), 1, RandomDice()))
        assert isinstance(refused, Refused)
        assert refused.code == "rules_missing"
    judge = Judge(playing.match_id, toy_2.ONLY_2, playing.seed)
    for entry in playing.entries:
        assert judge.judge(wire.decode(judge.game, entry)) is None
    assert not judge.decides


def test_proposals_count_among_the_requests_of_a_match() -> None:
    match = Changing(Setup(FIRST, 3, FIRST.options()))
    match.matches[-1] = replace(match.match, branches=1_500, requests=499)
    assert match.do(ProposeRules(0, 2), player(0)) is None
    assert match.do(AnswerRules(1, False, match.match.version), player(1)) is None
    refused = match.do(ProposeRules(1, 2), player(1))
    assert isinstance(refused, Refused)
    assert refused.code == "too_many_returns"
