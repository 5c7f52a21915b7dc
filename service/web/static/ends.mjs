// Whether a match is over, from the public part of its commits: a verifier without the rules must know it, for the seed may
// be told only then, and a record of a match that was cut short is no record of its end.
//
// A match ends by an event of its own (somebody resigns, a ruling), or by its game. ENDS has for each game and version of its
// rules what little of the state its end depends on. All of it is public, and all that the events do not name stays as it is.

const FREE = ".";
const CORNERS = [0, 3, 6, 27, 30, 33, 54, 57, 60];
const BLOCKERS = 18;

const added = (numbers, place, more) => numbers.map((number, at) => (at === place ? number + more : number));
const changed = (heroes, seat, fields) => heroes.map((hero, at) => (at === seat ? { ...hero, ...fields } : hero));

const turn = (state) => ({ ...state, turns: state.turns + 1 });

const blockers = {
  start: (state) => ({ turns: state.get("turns"), colours: state.get("racks").length }),
  events: { tile_placed: turn, passed: turn },
  over: (state) => state.turns >= 24 * state.colours,
};

const territories = {
  start: (state) => ({
    board: [...state.get("board")],
    seats: state.get("seats"),
    turns: state.get("turns"),
    rounds: state.get("max_rounds"),
  }),
  events: {
    placed: (state, event) => turn(withMark(state, event.get("at"), String(event.get("seat")))),
    moved: (state, event) =>
      turn(withMark(withMark(state, event.get("from"), FREE), event.get("to"), String(event.get("seat")))),
    passed: turn,
  },
  over: (state) => {
    const moves = state.turns - BLOCKERS * state.seats;
    return moves > 0 && (moves >= state.rounds * state.seats || CORNERS.every((corner) => controlled(state, corner)));
  },
};

function withMark(state, space, mark) {
  const board = [...state.board];
  board["ABCDEFGHI".indexOf(space[0]) * 9 + Number(space[1]) - 1] = mark;
  return { ...state, board };
}

function controlled({ board, seats }, corner) {
  const inside = [0, 9, 18].flatMap((row) => board.slice(corner + row, corner + row + 3));
  const counts = Array.from({ length: seats }, (_, seat) => inside.filter((mark) => mark === String(seat)).length);
  const most = Math.max(...counts);
  return counts.filter((count) => count === most).length === 1;
}

const gain = (state, event) => ({ ...state, happiness: added(state.happiness, event.get("seat"), 1) });

const blockHappy = {
  start: (state) => ({
    happiness: state.get("happiness"),
    pink: (state.get("tickled_pink") ?? null) !== null,
    turns: state.get("turns"),
  }),
  events: {
    happiness_taken: (state, event) => {
      const less = added(state.happiness, event.get("source"), -event.get("count"));
      return { ...state, happiness: added(less, event.get("seat"), event.get("count")) };
    },
    happiness_buried: (state, event) => ({
      ...state,
      happiness: added(state.happiness, event.get("seat"), -event.get("count")),
    }),
    happy_drawn: gain,
    happy_laid_out: gain,
    tickled_pink_shown: (state) => ({ ...state, pink: true }),
    turn_passed: turn,
  },
  over: (state) => state.pink || state.happiness.includes(7) || state.turns >= 2000,
};

const fights = (pending) => ["duel", "showdown"].includes(pending?.get("type"));
const hero = (state, seat, fields) => ({ ...state, heroes: changed(state.heroes, seat, fields) });

const cockBlock = {
  start: (state) => ({
    heroes: state.get("heroes").map((each) => ({
      at: each.get("at"),
      chick: each.get("chick") ?? null,
      down: each.get("knocked_out") ?? false,
    })),
    fighting: fights(state.get("pending")),
    turns: state.get("turn"),
  }),
  events: {
    moved: (state, event) => hero(state, event.get("seat"), { at: event.get("to") }),
    picked_up: (state, event) => hero(state, event.get("seat"), { chick: event.get("chick") }),
    rumored: (state, event) =>
      hero(state, event.get("target"), { at: event.get("to"), ...(event.get("lost") === null ? {} : { chick: null }) }),
    fight_began: (state) => ({ ...state, fighting: true }),
    knocked_out: (state, event) => ({ ...hero(state, event.get("seat"), { down: true }), fighting: false }),
    rose: (state, event) => hero(state, event.get("seat"), { down: false }),
    turn_ended: turn,
  },
  over: (state) =>
    !state.fighting &&
    (state.turns > 500 || state.heroes.some(({ at, chick, down }) => chick !== null && !down && at[1] === "0")),
};

// Game → version of its rules → how it ends.
export const ENDS = {
  blockers: { 1: blockers },
  territories: { 1: territories },
  block_happy: { 1: blockHappy },
  cock_block: { 1: cockBlock },
};

// Events of the match, whatever its game, by which it is over.
export const ENDING = ["resigned", "aborted", "cancelled", "expired", "too_long"];

// Follows a match commit by commit. `over` is true, false, or null where only rules that are not here can tell.
export class Course {
  constructor(ends = ENDS) {
    this.ends = ends;
    this.over = false;
    this.states = new Map();
    this.state = null;
    this.final = false;
    this.unknown = false;
  }

  add(version, events) {
    for (const event of events) this.event(event);
    this.states.set(version, this.state);
    if (this.final) this.over = true;
    else this.over = this.state === null ? false : this.unknown ? null : this.rules.over(this.state);
    // A finished match is final, and so is one about which it is not known whether it is finished.
    if (this.over === true) this.final = true;
  }

  event(event) {
    const type = event.get("type");
    if (type === "opened") {
      this.game = event.get("game");
      this.inPlay = event.get("seats");
    }
    if (type === "opened" || type === "rules_changed") this.turnTo(event.get("rules"));
    if (type === "started" || type === "rules_changed") this.begin(event.get("state"));
    else if (type === "rewound" || type === "restored") this.state = this.states.get(event.get("to"));
    else if (ENDING.includes(type) || (type === "ruled" && event.get("ruling") === "void")) this.final = true;
    else if (type === "retired") {
      // The last seat in play wins. A seat retires once.
      this.inPlay -= 1;
      if (this.inPlay <= 1) this.final = true;
    } else if (!this.unknown && Object.hasOwn(this.rules.events, type)) {
      this.state = this.rules.events[type](this.state, event);
    }
  }

  turnTo(rules) {
    const game = Object.hasOwn(this.ends, this.game) ? this.ends[this.game] : {};
    this.rules = Object.hasOwn(game, rules) ? game[rules] : null;
    this.unknown ||= this.rules === null;
  }

  begin(state) {
    this.state = this.unknown ? {} : this.rules.start(state);
  }
}
