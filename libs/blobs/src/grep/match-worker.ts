import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** The first request of a search has its pattern; the others have rows. */
export type MatchQuestion = { pattern: string; ignoreCase: boolean } | MatchRows;

export interface MatchRows {
  /** Lines, or parts of long ones, joined by newlines. */
  text: string;
  /** The first row to search; those before it are only shown. */
  first: number;
  /** Index in the first row: matches start at or after it. */
  skip: number;
  /** Index in the last row: matches start before it. Later ones are found with more text after them. */
  reach: number;
  /** Characters shown around a match; another match within them is not reported again. */
  shown: { before: number; total: number };
  /** Maximum of matches reported. */
  limit: number;
}

/** A match: its row, from 0, and where it starts in it. */
export interface RowMatch {
  row: number;
  at: number;
}

/** Says once that the thread has started. */
export type Ready = 'ready';

export type MatchAnswer = { matches: RowMatch[] } | { programSize: number } | { refused: string };

/** Linear in the text still means pattern size times text size: this bounds the pattern. */
const largestProgram = 10_000;

let compiled: RE2JS | undefined;

function answer(question: MatchQuestion): MatchAnswer {
  if ('pattern' in question) return compile(question.pattern, question.ignoreCase);
  const rows = question.text.split('\n');
  const matches: RowMatch[] = [];
  for (const [row, text] of rows.entries()) {
    if (row < question.first) continue;
    const reach = row === rows.length - 1 ? question.reach : text.length + 1;
    for (const at of matchesOf(text, row === 0 ? question.skip : 0, reach, question.shown)) {
      matches.push({ row, at });
      if (matches.length === question.limit) return { matches };
    }
  }
  return { matches };
}

/** Matches of a row. A short row is shown whole, so only its first match is reported. */
function* matchesOf(text: string, skip: number, reach: number, shown: MatchRows['shown']) {
  const matcher = compiled!.matcher(text);
  let shownTo = -1;
  for (let from = skip; from <= text.length && matcher.find(from);) {
    const [at, end] = [matcher.start(), matcher.end()];
    if (at >= reach) return;
    if (end > shownTo) {
      yield at;
      if (text.length <= shown.total) return;
      shownTo = at - shown.before + shown.total;
    }
    from = Math.max(end, at + 1);
  }
}

function compile(pattern: string, ignoreCase: boolean): MatchAnswer {
  try {
    compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
  const programSize = compiled.programSize();
  return programSize > largestProgram ? { refused: 'it is too large' } : { programSize };
}

const ready: Ready = 'ready';
parentPort!.on('message', (question: MatchQuestion) => parentPort!.postMessage(answer(question)));
parentPort!.postMessage(ready);
