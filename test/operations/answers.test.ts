import { answerExamples, routes, type Route } from '@spillway/contracts';
import { startStack, startStubLlm, type Stack, type StubLlm } from '@spillway/testing';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { RecordedProvider } from '../proxies/recorded-provider.js';
import { startReplyingProvider } from '../proxies/replies/replying-provider.js';
import { recordAnswers, type RecordedAnswer } from './answer-scenario.js';
import { operatorPassword } from './scrape.js';

const examplesFile = 'libs/contracts/src/answer-examples.ts';

let stub: StubLlm;
let provider: RecordedProvider;
let stack: Stack;
let answers: Map<string, RecordedAnswer>;
/** The recorded ones; in a run that writes them, those that it wrote. */
let examples = answerExamples;
beforeAll(async () => {
  stub = await startStubLlm();
  stack = await startStack({
    env: {
      ...stub.env,
      SPILLWAY_SECRET_KEY: 'a-secret-of-the-test-0123456789abcdef',
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
      SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
    },
  });
  provider = await startReplyingProvider();
  answers = await recordAnswers(stack, provider.url);
  if (process.env.SPILLWAY_ANSWERS === 'write') examples = writeExamples();
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
  await provider?.stop();
});

const isSchema = (answer: unknown): answer is z.ZodType => '_zod' in Object(answer);
const schemaOf = (answer: Route['answers'][number] | undefined): z.ZodType | undefined =>
  [answer].flat().find(isSchema);
/** The schemas of the successes of a route that are JSON. */
const schemasOf = ({ answers: byStatus }: Route): z.ZodType[] =>
  Object.entries(byStatus)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, answer]) => schemaOf(answer) ?? []);

const answering = Object.values(routes).filter((route) => schemasOf(route).length > 0);

test.each(answering.map((route) => [route.id, route] as const))(
  '%s answers as its contract says, and its example has the shape of the answer',
  (id, route) => {
    const answer = answers.get(id);
    expect(answer, 'the scenario calls it').toBeDefined();
    const { status, body } = answer!;
    const schema = schemaOf(route.answers[status])!;
    // A parsed answer has the documented fields only.
    expect(schema.parse(body)).toEqual(body);
    const example = examples[id];
    expect(example, 'npm run answers records it').toBeDefined();
    expect(schema.parse(example)).toEqual(example);
    expect(differences(example, body)).toEqual([]);
  },
);

test('an example differs from an answer by its fields and types, and not by its values', () => {
  const of = { id: 'a', n: 1, list: [{ x: 1 }, { x: 2, y: null }], none: null };
  expect(differences(of, { id: 'b', n: 2, list: [], none: { z: 1 } })).toEqual([]);
  expect(differences(of, { id: 1, n: 2, list: [{ x: '1', y: null }], more: 1 })).toEqual([
    '/id: string here, number in the answer',
    '/list/x: number here, string in the answer',
    '/none: not in the answer',
    '/more: not in the example',
  ]);
});

test('every example is of an operation that answers with JSON', () => {
  expect(Object.keys(examples).sort()).toEqual(answering.map(({ id }) => id).sort());
});

/** Messages as a provider writes them, and maps whose names are a caller's or those of a state. */
const free =
  /\/(messages\/content|message|metadata|detail|by_state|by_model|states|policy|schema|result|tools)$/;

/** Where two values differ in fields and types. Null stands for any value, and an empty list for any list. */
function differences(example: unknown, answer: unknown, at = ''): string[] {
  if (example === null || answer === null || free.test(at)) return [];
  const [here, there] = [typeOf(example), typeOf(answer)];
  if (here !== there) return [`${at}: ${here} here, ${there} in the answer`];
  if (Array.isArray(example) && Array.isArray(answer)) {
    if (example.length === 0 || answer.length === 0) return [];
    return differences(merged(example), merged(answer), at);
  }
  if (here !== 'object') return [];
  const [mine, theirs] = [example as Record<string, unknown>, answer as Record<string, unknown>];
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((field) => {
    const path = `${at}/${field}`;
    if (!Object.hasOwn(theirs, field)) return [`${path}: not in the answer`];
    if (!Object.hasOwn(mine, field)) return [`${path}: not in the example`];
    return differences(mine[field], theirs[field], path);
  });
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** One item with the fields of all; null where none has a value, as of a delivery that was not tried yet. */
const merged = (items: readonly unknown[]): unknown =>
  items.every((item) => typeOf(item) === 'object' && item !== null)
    ? Object.assign(
        {},
        ...items,
        ...items.map((item) =>
          Object.fromEntries(Object.entries(item as object).filter(([, value]) => value !== null)),
        ),
      )
    : items[0];

/**
 * Writes the answers as the examples of the document, and returns them. An example that still has the shape of its
 * answer stays as it is, so that a new endpoint adds its own and changes no other. Remove one to record it again.
 */
function writeExamples(): typeof answerExamples {
  const written = Object.fromEntries(answering.map((route) => [route.id, exampleOf(route)]));
  writeFileSync(
    examplesFile,
    `/** Answers of a running service, by operation: written by \`npm run answers\`, compared with the service by a test. */
export const answerExamples: Readonly<Record<string, unknown>> = ${JSON.stringify(written, null, 2)};
`,
  );
  execFileSync('npx', ['prettier', '--write', examplesFile]);
  return written;
}

function exampleOf({ id, answers: byStatus }: Route): unknown {
  const answer = answers.get(id);
  if (answer === undefined) return undefined;
  const [kept, recorded] = [answerExamples[id], shownValue(answer.body)];
  const isKept =
    schemaOf(byStatus[answer.status])?.safeParse(kept).success && differences(kept, recorded).length === 0;
  return isKept ? kept : recorded;
}

/** Secrets, folders and addresses are of the run. Long lists and texts say no more than short ones. */
function shownValue(value: unknown, field = ''): unknown {
  if (field === 'API_PORT') return 4000;
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) return telling(value).map((item) => shownValue(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, shownValue(of, name)]));
}

function shownText(text: string): string {
  const neutral = text
    .replace(/^(sw|st|ss|whsec)_[\w+/=-]+$/, '$1_...')
    .replace(/\/\/127\.0\.0\.1:\d+\/test_\w+/, '//localhost:5432/spillway')
    .replace(/redis:\/\/127\.0\.0\.1:\d+/, 'redis://localhost:6379')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://localhost:4000')
    .replace(/^\/.*\/outputs$/, '/var/lib/spillway/outputs');
  return neutral.length <= 600 ? neutral : `${neutral.slice(0, 600)}...`;
}

/** The first two items, and those that have a field which the ones before have not. */
function telling(items: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return items.filter((item, i) => {
    const fields = Object.entries(Object(item) as object).flatMap(([name, value]) =>
      value === null ? [] : [name],
    );
    const isNew = typeOf(item) === 'object' && fields.some((name) => !seen.has(name));
    for (const name of fields) seen.add(name);
    return i < 2 || isNew;
  });
}
