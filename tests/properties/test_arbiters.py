"""Random histories in which everybody, the arbiter first, does whatever is not refused: no look and no late ruling pays.

The arbiter may be anybody's second account. So each law below holds whatever the seats and the arbiter do together.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from domain import commands, events
from domain.commit import Commit
from domain.dispute import OPEN_AFTER_END, as_of, sees_at
from domain.dispute_state import LAPSES_AFTER
from domain.game import AnyGame
from domain.games import territories
from domain.hidden import ALL
from domain.match import Match
from domain.undo import is_move, last_own, last_undone
from tests.support import toy
from tests.support.played_games import SOAK
from tests.support.timed_log import HOUR, TimedLog

PLAYERS = ("ada", "ben", "cid", "ida", "eve")
ARBITER = "ida"
POLICIES: tuple[commands.UndoPolicy, ...] = ("consent", "free_only")
STEPS = 70


# -- what they do -----------------------------------------------------------------------------------------------------


def join(log: TimedLog, chance: random.Random) -> Any:
    return commands.Join(arbiter=chance.choice((ARBITER, ARBITER, ARBITER, None, "eve")))


def move(log: TimedLog, chance: random.Random) -> Any:
    seat = min(log.match.to_move, default=0)
    return commands.Move(seat, chance.choice(log.legal(seat))) if log.match.to_move else commands.Resign(seat)


def returns(log: TimedLog, chance: random.Random) -> Any:
    seat, kind = _seat(log, chance), chance.choice((commands.Undo, commands.Redo))
    usual = last_own(log.match, seat) if kind is commands.Undo else last_undone(log.match)
    return kind(seat, usual if usual is not None and chance.random() < 0.7 else max(1, log.match.version - 3))


def answer(log: TimedLog, chance: random.Random) -> Any:
    asks = () if log.match.request is None else sorted(log.match.request.asks)
    return commands.AnswerUndo(chance.choice(asks or (0,)), accept=chance.random() < 0.8)


def dispute(log: TimedLog, chance: random.Random) -> Any:
    return commands.Dispute(_seat(log, chance), max(1, log.match.version - chance.randrange(4)), "Not so.")


def look(log: TimedLog, chance: random.Random) -> Any:
    return commands.Look(len(log.match.cases))


def ruling(log: TimedLog, chance: random.Random) -> Any:
    return commands.GiveRuling(
        len(log.match.cases),
        chance.choice(("stands", "stands", "rewind", "rewind", *(() if chance.random() < 0.8 else ("void",)))),
        "So.",
    )


def resign(log: TimedLog, chance: random.Random) -> Any:
    return commands.Resign(_seat(log, chance))


ACTS: dict[Callable[[TimedLog, random.Random], Any], float] = {
    join: 6,
    lambda _log, _chance: commands.AcceptArbitration(): 12,
    lambda _log, _chance: commands.DeclineArbitration(): 0.3,
    lambda log, _chance: commands.RecordFork(log.match.version, "another"): 2,
    lambda log, _chance: commands.Lapse(len(log.match.cases)): 2,
    move: 24,
    returns: 12,
    answer: 20,
    dispute: 6,
    look: 4,
    ruling: 12,
    resign: 0.5,
}
"""What is tried → how often."""


def _seat(log: TimedLog, chance: random.Random) -> int:
    return chance.randrange(len(log.match.table.seats))


def history(game: AnyGame, seed: int) -> TimedLog:
    """A rated match with an arbiter who is asked, and whatever happens to it in 70 accepted acts or 700 attempts."""
    chance = random.Random(f"{game.id} {seed}")
    log = TimedLog(2 + seed % 2, game=game, arbiter=ARBITER, undo=POLICIES[seed % 4 < 2])
    for _attempt in range(STEPS * 10):
        if len(log.commits) >= STEPS or log.match.status == "void" or _long_over(log):
            break
        command = chance.choices(list(ACTS), list(ACTS.values()))[0](log, chance)
        log.attempt(command, _by(log, command, chance))
        case = as_of(log.match, log.now).case
        if case is not None and case.looked and chance.random() < 0.3:
            log.wait(LAPSES_AFTER)
        elif chance.random() < (0.2 if log.match.ended else 0.03):
            log.wait(chance.choice((LAPSES_AFTER, HOUR, OPEN_AFTER_END // 4)))
    return log


def _long_over(log: TimedLog) -> bool:
    return log.match.over_since is not None and log.now > log.match.over_since + 2 * OPEN_AFTER_END


def _by(log: TimedLog, command: Any, chance: random.Random) -> str:
    """Mostly the player who may give the command, sometimes any other."""
    seat = getattr(command, "seat", None)
    if chance.random() < 0.1:
        return chance.choice(PLAYERS)
    if seat is not None and (seated := log.match.table.seats[seat]) is not None:
        return str(seated.player)
    if isinstance(command, commands.Join):
        return chance.choice(PLAYERS)
    return chance.choice((*(ARBITER,) * 5, *PLAYERS))


# -- the laws ---------------------------------------------------------------------------------------------------------


def steps(log: TimedLog) -> Iterator[tuple[Match, Commit, Match]]:
    """Each commit but the first, with the match before and after it."""
    for (before, after), commit in zip(pairwise(log.matches), log.commits[1:], strict=True):
        yield before, commit, after


def moves_in_force(match: Match) -> set[int]:
    return set() if match.node is None else {node.version for node in match.node.path() if is_move(node)}


def check_all_agreed(log: TimedLog) -> None:
    """An arbiter has accepted before the start, has no seat, and in a rated match everybody seated has named it."""
    named: dict[str, str | None] = {"ada": ARBITER}
    for before, commit, after in steps(log):
        if isinstance(commit.command, commands.Join):
            named[commit.player] = commit.command.arbiter
        if after.table.arbiter is None:
            continue
        assert any(events.ArbiterAccepted(ARBITER) in made.events for made in log.commits)
        assert before.status == "open" or before.table.arbiter == ARBITER
        assert ARBITER not in after.table.players
        if after.rated:
            assert {named[player] for player in after.table.players} == {ARBITER}


def check_looks_cost_the_rating(log: TimedLog) -> None:
    """While the result may count, nobody without a seat sees anything, and no seat sees more than its own side."""
    looked = False
    for match, commit in zip(log.matches, log.commits, strict=True):
        looked = looked or any(isinstance(event, events.HiddenLookedAt) for event in commit.events)
        assert not (looked and match.rated)
        if match.rated and not match.ended:
            for player in PLAYERS:
                for version in range(1, match.version + 1):
                    assert sees_at(match, player, version) == match.sees(player) is not ALL


def check_nobody_goes_back_behind_a_look(log: TimedLog) -> None:
    """After a look no ruling and no seat by itself takes back or brings back a move of before it."""
    newest_look = 0
    for before, commit, after in steps(log):
        kinds = [type(event) for event in commit.events]
        if events.HiddenLookedAt in kinds:
            newest_look = commit.version
        if not newest_look or not {events.Rewound, events.Restored} & set(kinds):
            continue
        assert events.Ruled not in kinds
        if events.UndoAnswered not in kinds:
            assert min(moves_in_force(before) ^ moves_in_force(after)) > newest_look


def check_results_are_final(log: TimedLog) -> None:
    """From 72 hours after its end on, the result of a match stays as it is."""
    ends = log.match.over_since
    if ends is None:
        return
    late = [match for match in log.matches if match.at >= ends + OPEN_AFTER_END]
    read = [as_of(match, match.at) for match in late]
    assert len({(match.status, match.outcome) for match in read}) <= 1


CHECKS = (check_all_agreed, check_looks_cost_the_rating, check_nobody_goes_back_behind_a_look, check_results_are_final)


@pytest.mark.parametrize("game", [toy.GAME, territories.GAME], ids=lambda game: game.id)
def test_no_history_lets_an_arbiter_with_a_seat_of_its_own_gain(game: AnyGame) -> None:
    met: Counter[str] = Counter()
    for seed in range(150 * SOAK):
        log = history(game, seed)
        for check in CHECKS:
            check(log)
        if seed % 5 == 0:
            log.check_decided_again()
        met.update(_what_happened(log))
    # Otherwise the laws would hold because nothing happens.
    wanted = {"looked", "rewound by the arbiter", "returned after a look", "late"}
    assert wanted <= met.keys(), met


def _what_happened(log: TimedLog) -> Iterator[str]:
    for before, commit, after in steps(log):
        if events.HiddenLookedAt in [type(event) for event in commit.events]:
            yield "looked"
        if isinstance(commit.events[-1], events.Ruled) and commit.events[-1].ruling == "rewind":
            yield "rewound by the arbiter" if commit.player == ARBITER else "rewound by all seats"
        if any(case.looked for case in before.cases) and after.branches > before.branches:
            yield "returned after a look"
        if before.over_since is not None and commit.at >= before.over_since + OPEN_AFTER_END:
            yield "late"
