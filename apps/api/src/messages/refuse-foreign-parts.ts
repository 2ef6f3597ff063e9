import { foreignParts } from '@spillway/contracts';
import type { FormatName } from '@spillway/service';
import { maxProblems, refuseInvalid } from '../http/valid.js';

/** Throws `invalid_request` for messages with parts of another format than the request's. */
export function refuseForeignParts(format: FormatName, body: unknown): void {
  const errors = foreignParts(format, body)
    .slice(0, maxProblems)
    .map(({ path, what, looksLike }) => ({
      path,
      message: `${what} is not part of the ${format} format; it looks like ${looksLike}: post it with ?format=${looksLike}`,
    }));
  if (errors.length > 0) refuseInvalid(errors);
}
