import type { Schemas } from '@spillway/client';

type Attempt = Schemas['CompactionAttempt'];

/** Who made a summary: `extractive` says nothing to somebody who meets it first. Null where none was made. */
export const makerWords = ({
  method,
  model,
}: Pick<Attempt, 'method'> & Partial<Pick<Attempt, 'model'>>): string | null =>
  method === null ? null : method === 'extractive' ? 'code, no model' : (model ?? 'a model');
