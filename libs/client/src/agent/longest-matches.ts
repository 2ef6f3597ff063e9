/** A piece of the history that equals a piece of what is recorded. */
interface Match {
  /** How many messages it has. */
  same: number;
  /** Where it ends in the history. */
  known: number;
}

/**
 * Returns for each `recorded[0..i]` the longest piece of the history that equals its end; of several, the first. Takes time
 * in proportion to both lengths, also where all messages are the same.
 */
export function longestMatches(history: readonly string[], recorded: readonly string[]): Match[] {
  const start = automatonOf(history);
  let [state, same] = [start, 0];
  return recorded.map((identity) => {
    while (state.shorter && !state.next.has(identity)) {
      state = state.shorter;
      same = state.length;
    }
    const next = state.next.get(identity);
    if (next) [state, same] = [next, same + 1];
    return { same, known: state.end };
  });
}

/** All pieces that end at the same places. */
interface State {
  next: Map<string, State>;
  /** The state of the longest end of these pieces that is elsewhere too; null at the start. */
  shorter: State | null;
  /** Of the longest piece. */
  length: number;
  /** The first place. */
  end: number;
}

/** The suffix automaton of a list: paths from its start are all pieces of the list. It has at most two states for each. */
function automatonOf(list: readonly string[]): State {
  const start: State = { next: new Map(), shorter: null, length: 0, end: 0 };
  let last = start;
  for (const [i, one] of list.entries()) {
    const added: State = { next: new Map(), shorter: start, length: i + 1, end: i + 1 };
    let from: State | null = last;
    for (; from && !from.next.has(one); from = from.shorter) from.next.set(one, added);
    const to = from?.next.get(one);
    if (from && to) {
      added.shorter =
        to.length === from.length + 1 ? to : { ...to, next: new Map(to.next), length: from.length + 1 };
      if (added.shorter !== to) {
        to.shorter = added.shorter;
        for (; from?.next.get(one) === to; from = from.shorter) from.next.set(one, added.shorter);
      }
    }
    last = added;
  }
  return start;
}
