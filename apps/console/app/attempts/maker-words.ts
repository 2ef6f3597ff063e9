import type { Schemas } from '@spillway/client';

type Attempt = Schemas['CompactionAttempt'];

/** The maker of a summary in words. Null without a summary. */
export const makerWords = ({
  method,
  model,
}: Pick<Attempt, 'method'> & Partial<Pick<Attempt, 'model'>>): string | null =>
  method === null ? null : method === 'extractive' ? 'code, no model' : (model ?? 'a model');
