import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runLine } from './command.js';

const run = (line: string, maxSeconds = 30, signal = new AbortController().signal) =>
  runLine({ line, folder: tmpdir(), env: process.env, maxSeconds, signal });

test('returns what a command printed', async () => {
  expect((await run('echo one && echo two >&2')).stdout).toBe('one\n');
});

test('a command that fails is an error with its last lines', async () => {
  await expect(run('echo because >&2; exit 3')).rejects.toThrow(/status 3:\nbecause/);
});

test('a command that takes too long is ended with what it started', async () => {
  // The outer shell waits for the inner one: both must be gone for the output to end.
  await expect(run("sh -c 'sleep 600'; true", 0.2)).rejects.toThrow('took longer than 0.2 s');
});

test('an interrupted run ends its command', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  await expect(run('sleep 600', 30, controller.signal)).rejects.toThrow('aborted');
});
