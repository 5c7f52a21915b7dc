"""Which names are allowed, and which two count as one."""

from __future__ import annotations

import pytest

from service.players.naming import keys, read_name, scheme
from service.problems import ProblemError

GOOD = [
    "Ann",
    "Ann Lee",
    "O'Brien-Smith",
    "Łukasz Żółć",
    "李小龍",
    "محمد",
    "नमस्ते",
    "🦊",
    "👨‍👩‍👧",
    "Mr_T",
    "R2 & D2",
    "№ 7",
]
BAD = {
    "ends a sentence": "resigns. The match is void.",
    "ends one in another script": "投了。無効",
    "ellipsis": "Ann…",
    "question": "Who?",
    "colon": "Ann: Bob",
    "comma": "Ann, the arbiter",
    "quotes": "x” resigns “y",
    "straight quotes": 'x" resigns',
    "brackets": "Ann (arbiter)",
    "joiner between letters": "An\u200dn",
    "bidirectional mark": "Ann\u202e",
    "unassigned": "Ann\u0378",
}


@pytest.mark.parametrize("name", GOOD)
def test_names_of_all_scripts_are_allowed(name: str) -> None:
    assert read_name(name) in (name, "No 7")


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_no_name_can_forge_a_sentence_or_hide_a_mark(name: str) -> None:
    with pytest.raises(ProblemError) as refused:
        read_name(name)
    assert (refused.value.code, refused.value.field) == ("invalid", "name")


@pytest.mark.parametrize("mark", "❞❜ꓸꓹꓺꓻꓽ⠄⠠⡀🙶🙷🙸ʺˮ")
def test_no_letter_or_symbol_may_look_like_a_mark_that_ends_a_sentence_or_a_quote(mark: str) -> None:
    with pytest.raises(ProblemError):
        read_name(f"Cal{mark} resigns")


@pytest.mark.parametrize("name", ["Greedy bot", "GREEDY BOT", "grееdy bot", "Random bot", "Planner bot"])
def test_no_account_has_the_name_of_a_bot(name: str) -> None:
    with pytest.raises(ProblemError):
        read_name(name)


@pytest.mark.parametrize("name", ["ʻOkina", "Ștefan", "Col·legi", "٢٠", "Ольга", "naïve ʼn"])
def test_letters_and_digits_of_people_are_left_alone(name: str) -> None:
    assert read_name(name)


def test_a_name_is_kept_as_rfc_8266_prepares_it() -> None:
    assert read_name("  Ａｎｎ \u00a0  Lee ") == "Ann Lee"
    assert read_name("Rene\u0301e") == "Renée"
    assert read_name("❤\ufe0f") == "❤"


SAME = [
    ("Ann", "ann"),
    ("Ann", "Аnn"),
    ("paypal", "paypaI"),
    ("rn", "m"),
    ("O0", "00"),
    ("Straße", "STRASSE"),
    ("l1|", "III"),
]
DIFFERENT = [("Ann", "Anne"), ("Ian", "Lan"), ("Zoë", "Zoe"), ("Ann Lee", "AnnLee"), ("Bob", "Вов 2"), ("2", "3")]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_look_the_same_or_differ_in_case_only_have_a_key_in_common(one: str, other: str) -> None:
    assert set(keys(one)) & set(keys(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_can_be_told_apart_have_none(one: str, other: str) -> None:
    assert not set(keys(one)) & set(keys(other))


@pytest.mark.parametrize("name", ["", "\u202e", "a\nb", "\ud800", "\x00", "x" * 10_000, *BAD.values()])
def test_every_old_name_has_keys(name: str) -> None:
    """Accounts of earlier versions have names that would not be allowed today."""
    assert len(keys(name)) == 2
    assert "\n" not in "".join(keys(name))


def test_the_keys_are_those_that_are_stored() -> None:
    """If this fails, the table has changed: all names are then given new keys at the next start."""
    assert scheme() == "1-51a22f93f4c99251"
