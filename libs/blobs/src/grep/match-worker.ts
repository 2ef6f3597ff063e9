import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** Lines to look at, joined by newlines; `id` ties the answer to the question. */
export interface MatchQuestion {
  id: number;
  pattern: string;
  ignoreCase: boolean;
  text: string;
}

/** Places of the lines that match, from 0; or why the pattern is refused. */
export type MatchAnswer = { id: number; lines: number[] } | { id: number; refused: string };

let known: { key: string; compiled: RE2JS } | undefined;

function answer({ id, pattern, ignoreCase, text }: MatchQuestion): MatchAnswer {
  try {
    const key = `${ignoreCase}:${pattern}`;
    if (known?.key !== key)
      known = { key, compiled: RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) };
    const { compiled } = known;
    const lines = text.split('\n');
    return { id, lines: lines.flatMap((line, i) => (compiled.matcher(line).find() ? [i] : [])) };
  } catch (error) {
    return { id, refused: error instanceof Error ? error.message : String(error) };
  }
}

parentPort!.on('message', (question: MatchQuestion) => parentPort!.postMessage(answer(question)));
