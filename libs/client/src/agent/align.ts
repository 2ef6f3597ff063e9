/** How a caller's history continues what is recorded. */
export interface Alignment {
  /** Messages at the start of the history that are recorded: what follows is new. */
  known: number;
  /** Recorded messages at the end that the history no longer has: its caller went back. */
  gone: number;
}

/** In the middle of a thread one "yes" that is the same proves nothing; as many in a row do. */
const sharedInPart = 4;

/**
 * Finds where a history continues what is recorded, by the identities of both. Either may lack its beginning: the
 * recorded ones when only the newest were read, the history when its caller dropped old messages or sends only new
 * ones. A caller went back when the history has a place of what is recorded and none of the messages after it. The place
 * is told by every message before it or, where the history or what was read lacks those, by four in a row at least. A
 * history without such a place is new as a whole.
 */
export function align(
  history: readonly string[],
  recorded: readonly string[],
  { older = false } = {},
): Alignment {
  const { end } = longestMatch(history, recorded, recorded.length);
  if (end > 0) return { known: end, gone: 0 };
  let place = { known: 0, gone: 0, same: 0 };
  for (let length = recorded.length - 1; length > 0; length--) {
    const { same, end: known } = longestMatch(history, recorded, length);
    const certain = same >= sharedInPart || (same === length && !older);
    if (certain && same > place.same) place = { known, gone: recorded.length - length, same };
  }
  return { known: place.known, gone: place.gone };
}

/** Finds the longest piece of the history that equals the end of `recorded[0..length]`, and where it ends. */
function longestMatch(history: readonly string[], recorded: readonly string[], length: number) {
  let best = { end: 0, same: 0 };
  for (let end = 1; end <= history.length; end++) {
    let same = 0;
    while (same < Math.min(end, length) && history[end - 1 - same] === recorded[length - 1 - same]) same++;
    // Of two matches of the same length the first one: a message posted twice is seen, one that is left out is lost.
    if (same > best.same) best = { end, same };
  }
  return best;
}
