"""Fights: the foes of a hero on the space where it came to stand, the fight with dice or cards, and the knock-out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from domain.game import Dice, Rejected
from domain.games.cock_block.components import CARDS, COMMITTED_AT_MOST, FACES, in_order
from domain.games.cock_block.events import Committed, FightBegan, KnockedOut, Revealed, Rolled, Turned
from domain.games.cock_block.moves import Commit
from domain.games.cock_block.state import Duel, State, clockwise, outcome
from domain.games.cock_block.story import Story
from domain.games.cock_block.turn import pass_turn, refuse_unheld
from domain.hidden import Secret

TO_WIN = 2

HITS = {"cb": 2, "punch": 1}

# -- foes -------------------------------------------------------------------------------------------------------------


def next_foe(state: State, mover: int) -> int | None:
    """The first seat clockwise that the mover has to fight on its space (CB-30); ``None`` if there is none."""
    hero = state.heroes[mover]
    if not hero.fights:
        return None
    for seat in clockwise(state, mover):
        other = state.heroes[seat]
        if other.at == hero.at and other.fights:
            return seat
    return None


def settle(story: Story, mover: int) -> None:
    """Settles all that follows from a hero's move: its fights, up to one with cards to choose, and the end of a lost turn."""
    while (foe := next_foe(story.state, mover)) is not None:
        story.tell(FightBegan(mover, foe))
        if isinstance(story.state.pending, Duel):
            return
        _roll_out(story, mover, foe)
    if story.state.hero.knocked_out and outcome(story.state) is None:
        pass_turn(story)  # CB-35: the active seat lost.


# -- cool people ------------------------------------------------------------------------------------------------------


def _roll_out(story: Story, mover: int, foe: int) -> None:
    """Fights with dice to the end (CB-32, CB-33)."""
    hits, sudden_death = (0, 0), False
    while True:
        ours, theirs = _roll(story.dice), _roll(story.dice)
        gains = (max(0, hits_of(ours) - shields_of(theirs)), max(0, hits_of(theirs) - shields_of(ours)))
        hits = (hits[0] + gains[0], hits[1] + gains[1])
        story.tell(Rolled(mover, foe, (ours, theirs), gains, hits))
        compared = gains if sudden_death else hits
        if not sudden_death and min(hits) >= TO_WIN:
            sudden_death = True
        elif compared[0] != compared[1] and (sudden_death or max(hits) >= TO_WIN):
            winner, loser = (mover, foe) if compared[0] > compared[1] else (foe, mover)
            story.tell(KnockedOut(loser, winner))
            return


def _roll(dice: Dice) -> tuple[str, ...]:
    """Rolls once: any number of 2x, then another face."""
    faces = [dice.choice(FACES)]
    while faces[-1] == "2x":
        faces.append(dice.choice(FACES))
    return tuple(faces)


def hits_of(faces: tuple[str, ...]) -> int:
    return HITS.get(faces[-1], 0) << (len(faces) - 1)


def shields_of(faces: tuple[str, ...]) -> int:
    return (faces[-1] == "shield") << (len(faces) - 1)


# -- geeks ------------------------------------------------------------------------------------------------------------


def legal_commits(hand: tuple[str, ...]) -> Iterator[Commit]:
    for count in range(COMMITTED_AT_MOST + 1):
        yield from map(Commit, dict.fromkeys(combinations(hand, count)))


def refuse_commit(state: State, seat: int, move: Commit) -> Rejected | None:
    return refuse_unheld(state, seat, "CB-34", *move.cards)


def decide_commit(story: Story, seat: int, move: Commit) -> None:
    story.tell(Committed(seat, Secret(in_order(move.cards), frozenset({seat}))))
    duel = story.state.pending
    assert isinstance(duel, Duel)
    ours, theirs = duel.commitments
    if isinstance(ours, Secret) and isinstance(theirs, Secret):
        _reveal(story, duel.mover, duel.foe, (ours.value, theirs.value))
        settle(story, duel.mover)


def _reveal(story: Story, mover: int, foe: int, cards: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    points = (worth(cards[0]), worth(cards[1]))
    story.tell(Revealed(mover, foe, cards, points))
    ahead = points[0] - points[1] or _tie_break(story, mover, foe)
    winner, loser = (mover, foe) if ahead > 0 else (foe, mover)
    story.tell(KnockedOut(loser, winner))
    story.draw(mover, len(cards[0]))
    story.draw(foe, len(cards[1]))


def worth(cards: tuple[str, ...]) -> int:
    return sum(CARDS[card].rarity for card in cards)


def _tie_break(story: Story, mover: int, foe: int) -> int:
    """Turns cards until one is higher. The rarity of the mover's card less that of the foe's; 1 if the cards run out."""
    ahead = 0
    while not ahead:
        turned = []
        for seat in (mover, foe):
            if not story.deck_ready():
                return 1
            turned.append(story.state.deck.draw(story.dice))
            story.tell(Turned(seat, turned[-1]))
        ahead = CARDS[turned[0]].rarity - CARDS[turned[1]].rarity
    return ahead
