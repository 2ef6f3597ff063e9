import type { z } from 'zod';

/** Says what a value of a request must be, in place of the words of the library. A contract's own words come first. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return `must ${sized(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong form';
    case 'invalid_key':
      return 'is not a valid key';
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? `must be ${oneOf(issue.options)}`
        : 'has none of the forms that are allowed here';
    case 'unrecognized_keys':
    case 'invalid_element':
    case 'custom':
      return undefined;
  }
};

/** The same for a query, where a parameter that is given twice arrives as an array. */
export const inPlainWordsOfQuery: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' && issue.expected !== 'array' && Array.isArray(issue.input)
    ? 'must be given once'
    : inPlainWords(issue);

const typeNames: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function wrongType({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  if (input === undefined) return 'is missing';
  if (expected === 'never') return 'must be left out';
  const wanted = typeNames[expected] ?? `of the type ${expected}`;
  return expected === 'int' && typeof input === 'number'
    ? `must be ${wanted}`
    : `must be ${wanted}, not ${typeOf(input)}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'boolean' ? `${value}` : (typeNames[typeof value] ?? typeof value);
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (units[origin] !== undefined && Number(minimum) === 1) return 'must not be empty';
  return `must ${sized(origin, inclusive === false ? 'more than' : 'at least', minimum)}`;
}

/** What is counted where a size is bounded and not a number. */
const units: Partial<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'items',
  object: 'fields',
};

function sized(origin: string, bound: string, size: number | bigint): string {
  const unit = units[origin];
  return unit === undefined ? `be ${bound} ${size}` : `have ${bound} ${size} ${unit}`;
}

const formats: Partial<Record<string, string>> = {
  uuid: 'must be a UUID',
  datetime: 'must be a time like 2026-11-21T08:00:00Z',
  url: 'must be a URL',
};

function oneOf(values: readonly unknown[]): string {
  const [first, ...others] = values.map((value) => JSON.stringify(value));
  return others.length === 0 ? `${first}` : `one of ${[first, ...others].join(', ')}`;
}
