import { foreignParts } from '@spillway/contracts';
import { SpillwayError, type FormatName } from '@spillway/service';

/** Maximum of problems in one response. */
const maxShown = 20;

/** Throws `invalid_request` for messages with parts of another format than the request's. */
export function refuseForeignParts(format: FormatName, body: unknown): void {
  const errors = foreignParts(format, body)
    .slice(0, maxShown)
    .map(({ path, what, looksLike }) => ({
      path,
      message: `${what} is not part of the ${format} format; it looks like ${looksLike}: post it with ?format=${looksLike}`,
    }));
  if (errors.length === 0) return;
  throw new SpillwayError('invalid_request', errors.map((e) => `${e.path}: ${e.message}`).join('; '), errors);
}
