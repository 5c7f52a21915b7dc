"""The rules, numbered, with the source of each: the printed book, the published game, or our decision."""

from __future__ import annotations

from typing import Final

from domain.game import Rule

_SET_UP: Final = (
    Rule(
        "CB-1",
        "The game is for two, three or four seats. However many play, the four chicks and the twelve tokens all take part.",
        ("source",),
    ),
    Rule(
        "CB-2",
        "Hailey, Tracy, Vivian and Sarah wait in the Friend Zone in columns a to d. Every seat has another hero, in the "
        "order of the table unless the option heroes says otherwise; they start in the Exit Area, seat 0 in column a and "
        "so on. Seven cards are dealt to each seat.",
        ("book", "ours"),
    ),
    Rule(
        "CB-3", "Play goes clockwise. The seat that begins is drawn, unless the option first_seat names it.", ("ours",)
    ),
    Rule(
        "CB-4",
        "A turn has two actions. Each is a move, a discard, an attack or a defence, and those that are no moves must all "
        "be of one kind. With the option free_combinations any kinds go together.",
        ("book",),
    ),
    Rule(
        "CB-5",
        "A seat ends its turn itself, whenever it likes, even without an action; only losing a fight (CB-35) or a win "
        "ends it otherwise. Using up the actions does not: a chick may still be picked up, corn_pills may still be taken.",
        ("ours",),
    ),
    Rule(
        "CB-6",
        "One discard action of a turn throws one card, two throw up to three, three up to four. A discard names one to "
        "four cards and uses the smallest number of actions, but at least one, for which that is true of the whole turn. "
        "If the turn has fewer left, it is refused.",
        ("book", "ours"),
    ),
    Rule(
        "CB-7",
        "A hand is refilled to seven when its turn ends, never between two actions. A hand that has fewer than seven when "
        "its turn begins, after a fight for example, is refilled then.",
        ("book",),
    ),
    Rule(
        "CB-8",
        "When a card is needed and the deck is empty, the discard pile is shuffled and is the deck. When that is empty "
        "too, fewer cards are drawn. Cards that lie on heroes stay where they are. A card is on the discard pile before "
        "anything is drawn because of it; a legendary is there after its last token.",
        ("ours",),
    ),
    Rule(
        "CB-9",
        "moment_of_glory gives the turn a third action. It costs none, is played before the turn's first action (picking "
        "up and corn_pills are no actions), once a turn at most, and not by a hero who is knocked out.",
        ("book", "ours"),
    ),
)

_MOVEMENT: Final = (
    Rule(
        "CB-10",
        "Heroes move up, down and sideways, never diagonally. Forward is toward the Friend Zone for a hero without a chick "
        "and toward the Exit Area for one with a chick; nobody moves himself backward. In every row column a and column d "
        "are neighbours. Left is the way from d to a, whoever moves.",
        ("book",),
    ),
    Rule(
        "CB-11",
        "A step is paid with get_2_drinks, with one skill card of the hero or of the chick he carries, with two of any "
        "other skill that are alike, or with one of any other skill and a wild. Wild cards without a skill pay nothing. "
        "Nothing may be added to what is enough.",
        ("book", "ours"),
    ),
    Rule(
        "CB-12",
        "got_bread moves exactly two spaces in one action: two forward, two left, two right, or one to a side and then one "
        "forward. Both steps must stay on the board.",
        ("book",),
    ),
    Rule(
        "CB-13",
        "The first of the two spaces may hold a hero or a token; the hero jumps over and nothing happens there. A token "
        "that stands in the Exit Area is not jumped.",
        ("book",),
    ),
    Rule("CB-14", "No hero moves onto a token. A token belongs to nobody, whoever put it there.", ("book",)),
    Rule(
        "CB-15",
        "An upright hero without a chick may pick up the one on whose space he stands, free, in his own turn, when he "
        "arrives or as long as he is still there. He need not. He carries one at most.",
        ("book",),
    ),
    Rule("CB-16", "The skill of the chick whom a hero carries counts like his own.", ("book",)),
    Rule(
        "CB-17",
        "A seat wins as soon as its hero is upright in the Exit Area with a chick. This is looked at after every move, "
        "fight and recovery, when no fight is pending.",
        ("source",),
    ),
    Rule(
        "CB-18",
        "A carrier who reaches an occupied space of the Exit Area fights first (CB-30). If he loses he lies there with his "
        "chick, and wins when he rises if he is still there.",
        ("ours",),
    ),
)

_ATTACKS: Final = (
    Rule(
        "CB-19",
        "A cock block card puts a token of its kind from the supply on a space without hero or token: in the barn, in the "
        "Exit Area or in the Friend Zone, a waiting chick's space too. Without a token left it cannot be played.",
        ("book",),
    ),
    Rule(
        "CB-20",
        "the_rumor moves an opponent two steps, each back, left or right and at least one of them back, over heroes and "
        "over tokens, in the Exit Area as well. Back is up for who carries a chick when the card is played, down for who "
        "does not; on row 0 the latter cannot be chosen. A step that would leave the board leaves him in that row, in his "
        "column, and the next step goes on from there.",
        ("book", "ours"),
    ),
    Rule(
        "CB-21",
        "If that ends on a token, he goes back by one more, and so on. When this leaves the board he stands on the first "
        "space of the last row without a token, looking from his column to the right and around. If there is none the "
        "rumor does nothing: he stays where he was, with his chick, and fights nobody.",
        ("book", "ours"),
    ),
    Rule(
        "CB-22",
        "A carrier of whose steps, those of CB-21 included, one would go beyond the Friend Zone stays in its row and loses "
        "his chick, who waits on her first space again.",
        ("book",),
    ),
    Rule(
        "CB-23",
        "A hero whom a rumor brings to another hero fights him as if he had moved there himself; so does one whose way ends "
        "where it began, if another hero stands there.",
        ("book", "ours"),
    ),
    Rule(
        "CB-24",
        "drank_2_much is given to an opponent who has none and is not immune, knocked out or not. It lies on his hero; "
        "until corn_pills or a lost fight he cannot move with get_2_drinks or got_bread. He is always asked at once "
        "whether he takes corn_pills. When it falls off it goes to the discard pile.",
        ("book", "ours"),
    ),
)

_DEFENCE: Final = (
    Rule(
        "CB-25",
        "When a cock block card is played, every opponent whose hero stands in the column of its token is asked, one after "
        "the other, clockwise from the active seat, whatever he holds and even if knocked out. The first who plays the "
        "matching counter block moves that token, free, draws a card at once, and no other is asked. If the token has "
        "nowhere to go nobody is asked, nor for tokens that a legendary or a counter block moved.",
        ("book", "ours"),
    ),
    Rule(
        "CB-26",
        "In one's own turn a counter block is a defence and moves any token of its kind. Its card is replaced at the "
        "refill.",
        ("book", "ours"),
    ),
    Rule(
        "CB-27",
        "A counter block moves a token by one space up, down or sideways, around the edge too, onto a space without hero or "
        "token. If there is none it cannot be played.",
        ("book", "ours"),
    ),
    Rule(
        "CB-28",
        "A legendary takes all tokens of its kind off the board, one at least, and they are put down again one by one, each "
        "on a space without hero or token. It is played in one's own turn as an attack or as a defence, whichever the turn "
        "allows: as long as it is the only action that is no move, either may follow, but no discard.",
        ("book", "ours"),
    ),
    Rule(
        "CB-29",
        "tomahawk_god, a defence, returns all tokens to the supply; one must be on the board. all_access, a defence, lies on "
        "the hero to the end: he neither starts nor suffers fights and cannot be given drank_2_much; one that lies on him "
        "falls off; rumors and tokens still work on him. corn_pills, free, takes drank_2_much off the hero, when it is given "
        "or in one's own turn, knocked out or not; both cards are discarded and one is drawn at once.",
        ("book",),
    ),
)

_FIGHTS: Final = (
    Rule(
        "CB-30",
        "A hero who ends a move, his own or a rumor's, on another's space fights him if both are upright and not immune. "
        "Of several he fights one after the other, clockwise from his seat, until he loses.",
        ("book", "ours"),
    ),
    Rule("CB-31", "The option fights says how: with dice (cool_people) or with cards (geeks).", ("ours",)),
    Rule(
        "CB-32",
        "Cool people roll a die each. cb is two hits, punch one, miss none; a shield takes one off the opponent's hits of "
        "this roll; after 2x the die is rolled again and counts double, after another 2x four times, and so on, a shield "
        "too. Hits that are left are added up. Who reaches two first wins.",
        ("book", "ours"),
    ),
    Rule(
        "CB-33",
        "If both reach two with the same roll, they go on until one of them has more than the other in a single roll.",
        ("book",),
    ),
    Rule(
        "CB-34",
        "Geeks choose up to three hand cards each, in any order; neither the cards nor how many there are show until both "
        "have chosen. The higher sum of rarities wins. At a tie both turn the top card of the deck, the mover first, until "
        "these differ; what was chosen and turned is kept out of the discard pile meanwhile. If one of them has no card to "
        "turn, the mover wins. Then all of it is discarded and each draws as many as he chose, the mover first.",
        ("book", "ours"),
    ),
    Rule(
        "CB-35",
        "Who loses is knocked out. He stays where he is, with his chick, and drank_2_much falls off him; if it is his turn "
        "it ends. In his next turn he may discard once, up to three cards, take corn_pills, and end it; then he is upright "
        "again and refills. He and the winner share the space, and his rising starts no fight.",
        ("book", "ours"),
    ),
    Rule(
        "CB-36",
        "A knocked-out hero may be rumored and others may come to or over his space; no fight follows. He answers under "
        "CB-25 like everybody.",
        ("ours",),
    ),
    Rule("CB-37", "After 500 turns, those of knocked-out heroes counted, nobody has won.", ("ours",)),
    Rule(
        "CB-38",
        "Everybody knows the discard pile, the cards on the heroes, and how many cards each hand and the deck have. A hand "
        "is known to its seat alone, what the deck holds to nobody.",
        ("ours",),
    ),
)

RULES: Final = (*_SET_UP, *_MOVEMENT, *_ATTACKS, *_DEFENCE, *_FIGHTS)
