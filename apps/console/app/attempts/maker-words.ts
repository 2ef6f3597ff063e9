import type { Schemas } from '@spillway/client';

type Attempt = Schemas['CompactionAttempt'];

/** The maker of a summary in words. Null without a summary. */
export const makerWords = ({
  method,
  model,
  author,
}: Pick<Attempt, 'method'> & Partial<Pick<Attempt, 'model'> & { author: string | null }>): string | null => {
  if (method === null) return null;
  if (method === 'caller') return author ? `a caller with the key ${author}` : 'a caller';
  return method === 'extractive' ? 'code, no model' : (model ?? 'a model');
};
