import { eventType } from '@spillway/contracts';
import { defaultPolicy } from '@spillway/engine';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownVariables } from '../deploy/known-variables.js';
import { repository } from '../repository.js';

const page = (name: string): string => readFileSync(join(repository, 'docs', name), 'utf8');
const [environment, policy] = page('configuration.md').split('\n## Policy\n') as [string, string];

/** The cells of each row of the tables of a text. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

const namesOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test('docs/configuration.md has a row for every variable that API, worker and console read', async () => {
  const variables = [...(await knownVariables()).values()].flatMap((names) => [...names]);
  const traces = rowsOf(page('operations/guide.md'));
  const named = new Set([...rowsOf(environment), ...traces].flatMap((cells) => cells.flatMap(namesOf)));
  // Credentials of S3 are those of the SDK of AWS.
  const read = new Set(variables.filter((name) => !name.startsWith('AWS_')));
  expect([...read].filter((name) => !named.has(name))).toEqual([]);
});

test('docs/configuration.md has every policy key with its default', () => {
  const shown = rowsOf(policy).flatMap(([keys, defaults]) => {
    const values = defaults!.split(', ');
    return namesOf(keys!).map((key, i) => [key, values.length === 1 ? values[0]! : values[i]!] as const);
  });
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(
      Object.entries({ ...defaultPolicy }).flatMap(([part, keys]) =>
        Object.entries<unknown>(keys).map(([key, value]) => [`${part}.${key}`, asShown(value)]),
      ),
    ),
  );
});

/** A default as the page writes it. Two are easier to read with a unit, and the list of tools is in the text. */
function asShown(value: unknown): string {
  if (value === defaultPolicy.outputs.ttl_ms) return '30 days';
  if (value === defaultPolicy.outputs.max_bytes) return '10 GiB';
  if (Array.isArray(value)) return 'reading tools';
  if (typeof value === 'object' && value !== null) return `\`${JSON.stringify(value)}\``;
  return typeof value === 'string' ? `\`${value}\`` : String(value);
}

test('docs/configuration.md lists the tools that are exempt by default', () => {
  const row = rowsOf(policy).find(([key]) => key === '`outputs.exempt_tools`');
  expect(namesOf(row![2]!)).toEqual(defaultPolicy.outputs.exempt_tools);
});

test('docs/errors.md explains every error code with its status, and no other', () => {
  const source = readFileSync(join(repository, 'libs/service/src/problems/error-status.ts'), 'utf8');
  const statuses = [...source.matchAll(/^ {2}([a-z][a-z0-9_]+): (\d{3}),$/gm)].map(([, code, status]) => [
    code,
    status,
  ]);
  expect(statuses.length).toBeGreaterThan(50);
  const explained = [...page('errors.md').matchAll(/^## (\S+)\n\n(\d{3})\. /gm)].map(([, code, status]) => [
    code,
    status,
  ]);
  expect(Object.fromEntries(explained)).toEqual(Object.fromEntries(statuses));
});

test('docs/events.md has a row for every type of event', () => {
  const listed = rowsOf(page('events.md')).map(([type]) => namesOf(type!)[0]!);
  expect(listed.toSorted()).toEqual(eventType.options.toSorted());
});
