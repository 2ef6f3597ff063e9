import { rules, wordsFor } from './rules.js';

export interface ContinuationPrompt {
  /** The last message the notes must stand for. */
  toSeq: number;
  /** Messages after it that the model also sees, counted from the end. */
  newer: number;
  tokens: number;
  custom: string | null;
  hint: string | null;
  schema: Record<string, unknown>;
}

/**
 * The message that follows the very context the agent was sent: the provider has that prefix in its cache, so the
 * summary pays for little more than its answer. No field of the request may differ, so the form of the answer is
 * asked for in words.
 */
export const continuationPrompt = (input: ContinuationPrompt): string =>
  [
    'This message is from the service that keeps this conversation within its context window, not from the user. Stop working on the task; do not call tools.',
    input.custom ?? rules,
    `Your notes must stand for everything up to message ${input.toSeq}${input.newer > 0 ? `, which is all but the last ${input.newer} messages above` : ''}. Notes that are already there are to be folded in.`,
    `Answer with one JSON object and nothing else, in at most ${wordsFor(input.tokens)} words of text; JSON syntax and names of fields do not count. Its JSON Schema: ${JSON.stringify(input.schema)}`,
    ...(input.hint ? [input.hint] : []),
  ].join('\n\n');
