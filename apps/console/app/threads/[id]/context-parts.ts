import type { Schemas } from '@spillway/client';

type Context = Schemas['Context'];
export type PartKind = Context['parts'][number]['kind'];

/** The kinds of parts of a context, in sending order: each with a fixed colour, and a letter for colour-blind users. */
export const partKinds: Record<PartKind, { letter: string; label: string; about: string }> = {
  system: { letter: 'S', label: 'System', about: 'System prompt and leading system messages, verbatim' },
  summary: { letter: 'Σ', label: 'Summary', about: 'The active summary of older messages' },
  carried: {
    letter: 'C',
    label: 'Carried',
    about: 'Older messages kept verbatim: pinned ones, open tool calls',
  },
  recent: { letter: 'R', label: 'Recent', about: 'Messages after the summary, verbatim or as stubs' },
  note: { letter: 'N', label: 'Notes', about: 'Inserted by Spillway where something was left out' },
};

export const partOrder: readonly PartKind[] = ['system', 'summary', 'carried', 'recent', 'note'];

/** Tokens by kind. What `tokens.system` has beyond the listed messages is the prompt sent beside them. */
export function tokensByKind(context: Context): Record<PartKind, number> {
  const sums: Record<PartKind, number> = { system: 0, summary: 0, carried: 0, recent: 0, note: 0 };
  for (const part of context.parts) sums[part.kind] += part.tokens;
  return { ...sums, system: context.tokens.system };
}
