import { longestMatches } from './longest-matches.js';

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
 * history without such a place is new as a whole. Takes time in proportion to both lengths.
 */
export function align(
  history: readonly string[],
  recorded: readonly string[],
  { older = false } = {},
): Alignment {
  const { length } = recorded;
  // The usual case, which needs no search.
  if (recorded.every((identity, i) => identity === history[i])) return { known: length, gone: 0 };
  const matches = longestMatches(history, recorded);
  // Of two matches of the same length the first one: a message posted twice is seen, one that is left out is lost.
  const atEnd = matches.at(-1)!;
  // All that is recorded: nothing explains the history better.
  if (atEnd.same === length) return { known: atEnd.known, gone: 0 };
  let place = { known: 0, gone: 0, same: 0 };
  for (const [i, { same, known }] of matches.slice(0, -1).entries()) {
    const isCertain = same >= sharedInPart || (same === i + 1 && !older);
    if (isCertain && same >= place.same) place = { known, gone: length - i - 1, same };
  }
  // Answers repeat: a "done" that is the newest recorded message may be an earlier one of the history.
  const explainsMore = place.same === place.known && place.known >= atEnd.known && place.same > atEnd.same;
  return atEnd.same === 0 || explainsMore
    ? { known: place.known, gone: place.gone }
    : { known: atEnd.known, gone: 0 };
}
