import type { SummaryFields, SeqMessage } from '@spillway/engine';
import { rules, wordsFor } from './rules.js';

export interface TranscriptPrompt {
  prior: SummaryFields | null;
  messages: readonly SeqMessage[];
  /** Tokens the answer may take. */
  tokens: number;
  custom: string | null;
  /** Said after an answer that could not be used. */
  hint: string | null;
  /** JSON Schema of the answer, for a model that is not held to it. */
  schema: Record<string, unknown> | null;
  /** Unguessable, so that no message can forge the end of the transcript. */
  boundary: string;
}

/** The range as JSON lines between two boundary lines, apart from the conversation it is from. */
export function transcriptPrompt(input: TranscriptPrompt): { system: string; prompt: string } {
  const notes = input.prior ? `Notes so far, which yours replace:\n${JSON.stringify(input.prior)}\n\n` : '';
  return {
    system: `${input.custom ?? rules}\n\nThe conversation is given as JSON lines between two boundary lines.`,
    prompt: [
      `${notes}${input.boundary}`,
      ...input.messages.map(lineOf),
      `${input.boundary}\n`,
      `Write the notes now, in at most ${wordsFor(input.tokens)} words altogether. JSON syntax and names of fields do not count.`,
      ...(input.schema
        ? [`Answer with one JSON object and nothing else. Its JSON Schema: ${JSON.stringify(input.schema)}`]
        : []),
      ...(input.hint ? [input.hint] : []),
    ].join('\n'),
  };
}

const lineOf = (message: SeqMessage): string =>
  JSON.stringify({
    seq: message.seq,
    ...(message.at ? { at: message.at } : {}),
    role: message.role,
    ...(message.name ? { name: message.name } : {}),
    ...(message.speech ? { text: message.speech } : {}),
    ...(message.calls.length > 0 ? { calls: message.calls } : {}),
    ...(message.results.length > 0 ? { results: message.results } : {}),
  });
