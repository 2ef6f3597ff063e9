import type { PipeTransform } from '@nestjs/common';
import { SpillwayError, type FieldError } from '@spillway/service';
import type { z } from 'zod';

/** Checks one part of a request against its contract. Throws `invalid_request` with a JSON pointer per problem. */
export const valid = <T extends z.ZodType>(schema: T): PipeTransform<unknown, z.infer<T>> => ({
  transform: (value) => checked(schema, value),
});

/** The same, for a contract that is known only once another part of the request was read. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  // An absent body and an empty one say the same.
  const parsed = schema.safeParse(value === undefined ? {} : value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(innermost).slice(0, 20);
  const detail = errors.map((e) => `${e.path}: ${e.message}`).join('; ');
  throw new SpillwayError('invalid_request', detail, errors);
}

/** Of a union, the problems of the member that came closest: the one that fits all but for the deepest places. */
function innermost(issue: z.core.$ZodIssue): FieldError[] {
  const at = issue.path.map(String);
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ path: `/${at.join('/')}`, message: issue.message }];
  }
  const depth = (issues: z.core.$ZodIssue[]) => Math.max(0, ...issues.map((inner) => inner.path.length));
  const [closest] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  return closest!.flatMap((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }));
}
