import type { Schemas } from '@spillway/client';
import { fixedContentWords } from '@/app/attempts/fixed-content-words';
import { reasonWords } from '@/app/attempts/reason-words';
import { count } from '@/ui/quantity';

type Compaction = Schemas['ThreadCompaction'];

/** The next step of a thread's compaction. */
export function nextWords(
  { state, prepared }: Pick<Compaction, 'state' | 'prepared'>,
  trigger: number,
): string {
  if (state === 'due' && prepared?.state === 'proposed') return 'a summary waits for an approval';
  if (state === 'due') return 'compaction is due; a worker claims it next';
  if (state === 'running') return 'a compaction is running';
  if (state === 'backoff') return 'compaction is retrying';
  if (state === 'parked') return 'compaction stopped';
  return `compacts at ${count(trigger)} tokens`;
}

/** What the last attempt of a thread ran into that is tried again now; null without an error. */
export const lastErrorWords = ({ state, error }: Pick<Compaction, 'state' | 'error'>): string | null =>
  (state === 'due' || state === 'running') && error ? `The last attempt failed: ${sentence(error)}` : null;

/** Why a thread is parked or retrying, without the time of the next retry. */
export function whyWords({ state, reason, error, detail }: Compaction): string {
  if (detail) return fixedContentWords(detail);
  if (state === 'backoff') return error ? `Summary model: ${sentence(error)}` : 'Waiting for the next try.';
  const { name, why } = reasonWords(reason ?? 'unknown');
  const errorText = error && reason !== 'irreducible' ? ` ${sentence(error)}` : '';
  return `Parked: ${sentence(name)}${errorText} ${why}`;
}

/** Ends the text with one full stop. */
const sentence = (text: string): string => `${text.replace(/[.\s]+$/, '')}.`;
