"""Names of accounts: which are allowed, and which two count as one.

A name is a nickname by PRECIS (RFC 8266), further restricted so that it cannot forge a sentence of a log. Two names count as
one if they look the same, or look the same once their case is folded, by the table of Unicode TR39.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from precis_i18n import get_profile

from service.problems import ProblemError

NAME_LENGTH = 40
JOINER = "\u200d"
STYLES = "\ufe0e\ufe0f"
"""Variation selectors, with which keyboards send many emoji. They change no letter, so a name is kept without them."""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols without ink: Hangul fillers, the empty Braille cell."""
UNNAMEABLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
PUNCTUATION = "'’&#@*·・"
"""The marks that a name may contain, besides dashes and ties. All others end a clause, quote, or bracket in some script."""
LOOKS = frozenset('.,;:!?"“”„‟«»()[]{}')
"""Marks that no letter or symbol of a name may look like."""
ORNAMENTS = re.compile("QUOTATION MARK|COMMA|FULL STOP|BRAILLE PATTERN DOTS-[0-9]$")
"""Parts of the Unicode names of symbols that look like such marks and are unknown to the table of TR39."""
BOTS = ("Random bot", "Greedy bot", "Planner bot")
"""The names under which bots are shown."""
RULES = 1
"""Raised with every change of ``keys``, so that the claims of all names are made again."""


def read_name(text: str) -> str:
    """Reads a player's name: 1 to 40 characters, as RFC 8266 prepares a nickname: NFKC, with single spaces inside only.

    Raises ``ProblemError`` (422) for characters that are invisible or may not stand in names.
    """
    plain = unicodedata.normalize("NFKC", text).translate(dict.fromkeys(map(ord, STYLES))).strip()
    name = " ".join(re.split("[\u0020\u1680]+", plain))  # NFKC has made U+0020 of all other spaces.
    if not 1 <= len(name) <= NAME_LENGTH or all(character == JOINER or _leans(character) for character in name):
        raise _invalid(f"A name has 1 to {NAME_LENGTH} characters.")
    if any(unicodedata.category(character) in UNNAMEABLE for character in name.replace(JOINER, "")):
        raise _invalid("A name may not contain control characters.")
    if any(character in BLANK for character in name):
        raise _invalid("A name may not contain invisible characters other than spaces.")
    if any(_punctuates(character) for character in name):
        raise _invalid(f"Of punctuation, a name may contain only dashes, underscores and {' '.join(PUNCTUATION)}.")
    try:
        # Without the joiners of emoji, of which PRECIS knows nothing.
        get_profile("NicknameCasePreserved").enforce(_without_joiners(name))
    except UnicodeError as fault:
        raise _invalid("A name may contain letters, digits, symbols and spaces only.") from fault
    if any(not set(keys(name)).isdisjoint(keys(bot)) for bot in BOTS):
        raise _invalid("Bots have this name.")
    return name


def keys(name: str) -> tuple[str, ...]:
    """Returns the keys that no two accounts share: the look of the name, and its look in folded case. Accepts any text."""
    plain = unicodedata.normalize("NFKC", _bare(name))
    return f"look:{skeleton(plain)}", f"fold:{skeleton(plain.casefold())}"


def scheme() -> str:
    """Names the version of ``keys``: its rules and its table."""
    table = "\n".join(f"{source}\t{target}" for source, target in sorted(_prototypes().items()))
    return f"{RULES}-{hashlib.sha256(table.encode()).hexdigest()[:16]}"


def skeleton(text: str) -> str:
    """Returns the skeleton of a text by Unicode TR39: confusable texts have equal skeletons."""
    prototypes = _prototypes()
    parts = (prototypes.get(character, character) for character in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(parts))


@cache
def _prototypes() -> Mapping[str, str]:
    """Returns the character → prototype of TR39. Takes 0.1 s at first."""
    from confusable_homoglyphs.confusables import confusables_data  # Here, because most processes read no name.

    near: dict[str, set[str]] = defaultdict(set)
    for text, rows in confusables_data.items():
        for other in (_table_text(row["c"]) for row in rows):
            near[_table_text(text)].add(other)
            near[other].add(_table_text(text))
    found: dict[str, str] = {}
    for source, others in near.items():
        # The library lists a character and its prototype under each other. A prototype stands under many characters, and
        # whatever has several characters is one.
        prototype = max(others, key=lambda other: (len(other), len(near[other]), other))
        if len(source) == 1 and (len(prototype), len(near[prototype]), prototype) > (1, len(others), source):
            found[source] = prototype
    return {source: _settled(target, found) for source, target in found.items()}


def _table_text(text: str) -> str:
    """Returns a text of the library's table without the marks of direction that it puts around some."""
    return unicodedata.normalize("NFD", text.strip("\u200e\u200f"))


def _settled(text: str, found: Mapping[str, str]) -> str:
    for _step in range(len(found)):
        after = "".join(found.get(character, character) for character in text)
        if after == text:
            break
        text = after
    return text


def _invalid(detail: str) -> ProblemError:
    return ProblemError("invalid", detail, field="name")


def _leans(character: str) -> bool:
    """Returns whether the character only modifies another one: an accent, a variation selector."""
    return unicodedata.category(character).startswith("M")


def _punctuates(character: str) -> bool:
    """Returns whether a character is a mark that names may not contain, or a letter or symbol that looks like one."""
    category = unicodedata.category(character)
    if category.startswith("P"):
        return category not in ("Pd", "Pc") and character not in PUNCTUATION
    if category == "Nd":
        return False  # The Arabic zero looks like a full stop, and is a digit that people need.
    look = skeleton(character)
    if not LOOKS.isdisjoint(look) or look.count("'") > 1:
        return True
    return category.startswith("S") and ORNAMENTS.search(unicodedata.name(character, "")) is not None


def _without_joiners(name: str) -> str:
    """Returns the name without joiners between symbols; any other joiner stays, for PRECIS to judge."""
    kept = [
        character
        for before, character, after in zip(" " + name, name, name[1:] + " ", strict=False)
        if character != JOINER or not (_is_symbol(before) and _is_symbol(after))
    ]
    return "".join(kept)


def _is_symbol(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk")


def _bare(name: str) -> str:
    """Returns the name without what nobody sees: marks of format, and spaces that follow spaces."""
    seen = (character for character in name if unicodedata.category(character) != "Cf" and character not in STYLES)
    return " ".join("".join(seen).split())
