import type { Schemas } from '@spillway/client';

type Made = Pick<Schemas['CompactionAttempt'], 'method' | 'model'>;

/** Who made a summary: `extractive` says nothing to somebody who meets it first. Null where none was made. */
export const makerWords = ({ method, model }: Made): string | null =>
  method === null ? null : method === 'extractive' ? 'code, no model' : (model ?? 'a model');
