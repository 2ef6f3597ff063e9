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
  const atEnd = matchAtEnd(history, recorded);
  // All that is recorded: nothing explains the history better.
  if (atEnd.same > 0 && atEnd.same === recorded.length) return { known: atEnd.known, gone: 0 };
  let place = { known: 0, gone: 0, same: 0 };
  eachMatch(history, recorded, (length, { same, known }) => {
    const isCertain = same >= sharedInPart || (same === length && !older);
    if (isCertain && length < recorded.length && same >= place.same)
      place = { known, gone: recorded.length - length, same };
  });
  // Answers repeat: a "done" that is the newest recorded message may be an earlier one of the history.
  const explainsMore = place.same === place.known && place.known >= atEnd.known && place.same > atEnd.same;
  return atEnd.same === 0 || explainsMore
    ? { known: place.known, gone: place.gone }
    : { known: atEnd.known, gone: 0 };
}

/** A piece of the history that equals a piece of what is recorded. */
interface Match {
  /** How many messages it has. */
  same: number;
  /** Where it ends in the history. */
  known: number;
}

/** The longest piece of the history that equals the end of what is recorded. */
function matchAtEnd(history: readonly string[], recorded: readonly string[]): Match {
  const { length } = recorded;
  let best = { same: 0, known: 0 };
  for (let known = 1; known <= history.length; known++) {
    let same = 0;
    while (same < Math.min(known, length) && history[known - 1 - same] === recorded[length - 1 - same])
      same++;
    // Of two matches of the same length the first one: a message posted twice is seen, one that is left out is lost.
    if (same > best.same) best = { same, known };
  }
  return best;
}

/** Calls back with the same for the end of each `recorded[0..length]`, shortest first. */
function eachMatch(
  history: readonly string[],
  recorded: readonly string[],
  found: (length: number, match: Match) => void,
): void {
  const endsOf = new Map<string, number[]>();
  for (let end = history.length; end > 0; end--) {
    const ends = endsOf.get(history[end - 1]!);
    if (ends) ends.push(end);
    else endsOf.set(history[end - 1]!, [end]);
  }
  // A piece is one longer than the piece before it that ends one earlier on both sides, so repeated messages cost little.
  const sameAt = new Uint32Array(history.length + 1);
  const lengthAt = new Uint32Array(history.length + 1);
  recorded.forEach((identity, i) => {
    let best = { same: 0, known: 0 };
    for (const known of endsOf.get(identity) ?? []) {
      const same = lengthAt[known - 1] === i ? sameAt[known - 1]! + 1 : 1;
      sameAt[known] = same;
      lengthAt[known] = i + 1;
      if (same >= best.same) best = { same, known };
    }
    found(i + 1, best);
  });
}
