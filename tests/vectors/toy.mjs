// How the toy game of the tests ends: when every hand is empty and no card lies face down. Not for matches from a position.
const held = (hands, seat, more) => hands.map((count, at) => (at === seat ? count + more : count));

export const TOY = {
  start: (state) => ({ hands: state.get("hands").map(([rest, , top]) => rest + top.length), laid: 0, peeking: false }),
  events: {
    laid: (state, event) => ({ ...state, hands: held(state.hands, event.get("seat"), -1), laid: state.laid + 1 }),
    shown: (state) => ({ ...state, laid: 0 }),
    peeked: (state) => ({ ...state, peeking: true }),
    ordered: (state) => ({ ...state, peeking: false }),
    drawn: (state, event) => ({ ...state, hands: held(state.hands, event.get("seat"), 1) }),
  },
  over: (state) => !state.peeking && state.laid === 0 && state.hands.every((count) => count === 0),
};
