import { expect, test } from 'vitest';
import {
  AccessError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  RateLimitedError,
  SpillwayError,
  UnavailableError,
} from '../errors.js';
import { Availability } from './availability.js';

const failing = (error: Error) => () => Promise.reject(error);
const working = () => Promise.resolve('context');

test.each([ConnectionError, UnavailableError])('%o is an outage', async (Class) => {
  const lines: string[] = [];
  const availability = new Availability({ log: (line) => lines.push(line), pauseMs: 0 });
  const error = new Class('code', 'It is away.', 0, null);
  expect(await availability.attempt(failing(error))).toBeNull();
  expect(await availability.attempt(failing(error))).toBeNull();
  expect(availability.status).toEqual({
    state: 'down',
    bypassed_calls: 0,
    failures: 2,
    last_error: 'It is away.',
  });
  expect(lines).toEqual([
    "Spillway cannot be reached: It is away. Model calls go ahead with the caller's own messages.",
  ]);
});

test.each([
  new RateLimitedError('too_many_searches', 'Too many searches run.', 429, null),
  new UnavailableError('storage_unavailable', 'The storage does not answer.', 503, null),
  new ConflictError('thread_busy', 'Other callers keep writing.', 409, null),
  new SpillwayError('request_timeout', 'The body did not arrive in time.', 408, null),
])('$code ends the one call, and other calls go on', async (error) => {
  const lines: string[] = [];
  const availability = new Availability({ log: (line) => lines.push(line), pauseMs: Infinity });
  expect(await availability.attempt(failing(error))).toBeNull();
  expect(await availability.attempt(failing(error))).toBeNull();
  expect(await availability.attempt(working)).toBe('context');
  expect(availability.status).toMatchObject({ state: 'up', failures: 2, last_error: error.message });
  expect(lines).toEqual([
    `Spillway has no capacity for a call: ${error.message} Such calls go ahead without it.`,
  ]);
});

test.each([AccessError, ConflictError, InvalidRequestError, SpillwayError])('%o is thrown', async (Class) => {
  const availability = new Availability({ log: () => expect.unreachable() });
  const error = new Class('code', 'No.', 401, null);
  await expect(availability.attempt(failing(error))).rejects.toBe(error);
  expect(availability.status).toMatchObject({ state: 'up', failures: 0 });
});

test('sends nothing in the pause after a failure', async () => {
  const availability = new Availability({ log: () => undefined, pauseMs: Infinity });
  await availability.attempt(failing(new ConnectionError('unreachable', 'It is away.', 0, null)));
  expect(await availability.attempt(() => expect.unreachable())).toBeNull();
});

test('says at its end how many calls an outage cost, and counts all of them', async () => {
  const lines: string[] = [];
  const availability = new Availability({ log: (line) => lines.push(line), pauseMs: 0 });
  for (const calls of [2, 1]) {
    await availability.attempt(failing(new ConnectionError('unreachable', 'It is away.', 0, null)));
    for (let i = 0; i < calls; i++) availability.countBypass();
    expect(await availability.attempt(working)).toBe('context');
  }
  expect(lines.filter((line) => line.startsWith('Spillway is back'))).toEqual([
    'Spillway is back. Model calls without it: 2.',
    'Spillway is back. Model calls without it: 1.',
  ]);
  expect(availability.status).toMatchObject({ state: 'up', bypassed_calls: 3, failures: 2 });
});
