import { SpillwayError } from '@spillway/service';

/**
 * One range of a Range header as [start, end). Undefined without a header, or for a unit other than bytes: then the
 * response holds the whole, as RFC 9110 requires. Throws `range_not_satisfiable`; several ranges are refused.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  if (header === undefined || !header.startsWith('bytes=')) return undefined;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header);
  if (!match || (match[1] === '' && match[2] === '')) throw unsatisfiable(size);
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (start >= size || end <= start) throw unsatisfiable(size);
  return { start, end };
}

const unsatisfiable = (size: number) =>
  new SpillwayError('range_not_satisfiable', `Request one range within the ${size} bytes.`);
