import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';

/** The first question of a search: its pattern. The others are lines to look at, joined by newlines. */
export type MatchQuestion = { pattern: string; ignoreCase: boolean } | { text: string };

/** A line that matches, by its place from 0, and where in it the match starts. */
export interface Place {
  line: number;
  at: number;
}

export type MatchAnswer = { places: Place[] } | { programSize: number } | { refused: string };

/** Linear in the text still means pattern times text: this bounds the pattern's share. */
const largestProgram = 10_000;

let compiled: RE2JS | undefined;

function answer(question: MatchQuestion): MatchAnswer {
  if ('pattern' in question) return compile(question.pattern, question.ignoreCase);
  const places: Place[] = [];
  question.text.split('\n').forEach((text, line) => {
    const found = compiled!.matcher(text);
    if (found.find()) places.push({ line, at: found.start() });
  });
  return { places };
}

function compile(pattern: string, ignoreCase: boolean): MatchAnswer {
  try {
    compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
  const programSize = compiled.programSize();
  return programSize > largestProgram ? { refused: 'it is too large once compiled' } : { programSize };
}

parentPort!.on('message', (question: MatchQuestion) => parentPort!.postMessage(answer(question)));
