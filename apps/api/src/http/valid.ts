import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { SpillwayError, type ErrorCode, type FieldError } from '@spillway/service';
import type { z } from 'zod';
import { pointerPart } from './json/json-limits.js';
import { inPlainWords, inPlainWordsOfQuery } from './plain-words.js';

/** Checks one part of a request against its contract. Throws `invalid_request` with a JSON pointer per problem. */
export const valid = <T extends z.ZodType>(schema: T): PipeTransform<unknown, z.infer<T>> => ({
  transform: (value, { type, data }: ArgumentMetadata) =>
    checked(
      schema,
      value,
      type === 'param' ? data : undefined,
      type === 'query' ? inPlainWordsOfQuery : inPlainWords,
    ),
});

/**
 * The same for a contract that depends on another part of the request. `name` is that of a single parameter, whose
 * problems have no path of their own.
 */
export function checked<T extends z.ZodType>(
  schema: T,
  value: unknown,
  name?: string,
  words: z.core.$ZodErrorMap = inPlainWords,
): z.infer<T> {
  // An absent body is treated as an empty one.
  const parsed = schema.safeParse(value === undefined ? {} : value, { error: words });
  if (parsed.success) return parsed.data;
  const wrapped = wrapperOf(schema, value);
  if (wrapped !== null)
    return refuseInvalid([
      { path: pointer([wrapped]), message: 'is not a known field: send what it holds as the body' },
    ]);
  const within = name === undefined ? [] : [name];
  return refuseInvalid(
    parsed.error.issues
      .slice(0, maxProblems)
      .flatMap((issue) => innermost({ ...issue, path: [...within, ...issue.path] })),
  );
}

/** The same for a query that a controller checks itself. */
export const checkedQuery = <T extends z.ZodType>(schema: T, query: unknown): z.infer<T> =>
  checked(schema, query, undefined, inPlainWordsOfQuery);

/** The only field of a body whose value is what the contract asks for, as where an answer is sent back. */
function wrapperOf(schema: z.ZodType, value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const [field, ...others] = Object.keys(value);
  if (field === undefined || others.length > 0) return null;
  const inner = (value as Record<string, unknown>)[field];
  const isBody = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0;
  return isBody && schema.safeParse(inner).success ? field : null;
}

/** Maximum of problems in one response. */
export const maxProblems = 20;

/**
 * The same for an id that Spillway gives. One of another form names nothing, as one that is unknown: throws this code,
 * with the detail that the unknown one has.
 */
export const givenId = (
  schema: z.ZodType<string>,
  code: ErrorCode,
  detail: string,
): PipeTransform<unknown, string> => ({
  transform: (value) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new SpillwayError(code, detail);
    return parsed.data;
  },
});

/** Throws `invalid_request` with the first of these problems. */
export function refuseInvalid(problems: readonly FieldError[]): never {
  const errors = problems.slice(0, maxProblems);
  const detail = errors.map((e) => `${e.path}: ${e.message}`).join('; ');
  throw new SpillwayError('invalid_request', detail, errors);
}

const pointer = (path: readonly PropertyKey[]): string => `/${path.map(pointerPart).join('/')}`;

/** For a union, the problems of the member that was meant: the one of the same type, otherwise the deepest match. */
function innermost(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, maxProblems)
      .map((key) => ({ path: pointer([...issue.path, key]), message: 'is not a known field' }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ path: pointer(issue.path), message: issue.message }];
  }
  // A list of 200,000 wrong parts has as many problems; the first ones suffice.
  const tried = issue.errors.map((issues) => issues.slice(0, maxProblems));
  const [meant] = tried.sort((a, b) => distance(a) - distance(b) || a.length - b.length);
  return meant!.flatMap((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }));
}

const distance = (issues: readonly z.core.$ZodIssue[]): number => {
  const isOther = issues.some(({ path }) => path.at(-1) === 'type' || path.at(-1) === 'role');
  return (isOther ? 1000 : 0) - issues.reduce((depth, { path }) => Math.max(depth, path.length), 0);
};
