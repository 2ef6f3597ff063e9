import { createHash } from 'node:crypto';
import { promptVersion } from './rules.js';

/** Which rules a model was given: ours by their version, an operator's own by a hash that tells them apart. */
export const promptVersionOf = (custom: string | null): string =>
  custom === null ? promptVersion : `custom-${createHash('sha256').update(custom).digest('hex').slice(0, 8)}`;
