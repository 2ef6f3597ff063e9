import type { Schemas } from '@spillway/client';
import { fixedContentWords } from '@/app/attempts/fixed-content-words';
import { reasonWords } from '@/app/attempts/reason-words';

export interface RetryOutcome {
  good: boolean;
  title: string;
  text: string;
  /** The generation that waits for an approval. */
  proposed?: number;
}

/** How a retry ended, in words; null while it is queued or running. */
export function retryOutcome({ id, compaction }: Schemas['Thread']): RetryOutcome | null {
  const { state, reason, error, detail, prepared } = compaction;
  if (state === 'due' && prepared?.state === 'proposed') {
    const { generation } = prepared;
    const text = `${id}: the model gets generation ${generation} once it is approved.`;
    return { good: true, title: 'A summary waits for an approval', text, proposed: generation };
  }
  if (state === 'due' || state === 'running') return null;
  if (state === 'parked') {
    const why = detail ? fixedContentWords(detail) : `${reasonWords(reason ?? '').name}. ${error ?? ''}`;
    return { good: false, title: 'Parked again', text: `${id}: ${why}` };
  }
  if (state === 'backoff')
    return { good: false, title: 'Failed again', text: `${id}: ${error ?? 'no error text'}` };
  return { good: true, title: 'Retried', text: `${id} is compacted or fits its budget.` };
}
