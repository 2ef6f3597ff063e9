import { apiOf, checkRun, rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { settled, turns } from '../folding-thread.js';
import { toolCall, toolResult } from '../tool-calls.js';

/** `npm run test:faults` runs everything, other commands a short form. */
export const isFull = process.env.SPILLWAY_FAULTS === 'full';
export const longTest = test.runIf(isFull);

export const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

/** Faults are noticed soon. */
export const quickTimes = { SPILLWAY_LEASE_MS: '1500', SPILLWAY_POLL_MS: '300' };

/** The same, with the stub LLM server as the model. */
export const llmEnv = (stub: StubLlm): Record<string, string> => ({ ...stub.env, ...quickTimes });

export const talk = (topic: string, n = 20) =>
  turns(n, { topic }).map((message, i) => ({ ...message, id: `${topic}-${i}` }));

/** A tool call and a result large enough to be offloaded. */
export const bigResult = (id: string, lines = 4_000) => [
  { ...toolCall(id), id: `${id}-call` },
  {
    ...toolResult(id, Array.from({ length: lines }, (_, i) => `${id} line ${i + 1}`).join('\n')),
    id: `${id}-result`,
  },
];

/** A thread that is due at once. */
export async function dueThread(api: Api, id: string): Promise<void> {
  await api.createThread({ id, policy });
  await api.append(id, ...talk(id));
}

export const compacted = (api: Api, id: string, generation = 1, withinMs = 60_000) =>
  settled(api, id, generation, withinMs);

export const isReady = (app: { url: string }, withinMs = 30_000) =>
  until(`${app.url} is ready`, async () => (await fetch(`${app.url}/readyz`)).ok, withinMs);

/** Posts until there is an answer, as a client would: the same id each time. */
export async function post(url: string, key: string, thread: string, message: object) {
  const api = apiOf({ url, key });
  return until(
    'an answer',
    async () => {
      const answer = await api
        .call<{ messages: { seq: number }[] }>('POST', `/v1/threads/${thread}/messages`, {
          messages: [message],
        })
        .catch(() => undefined);
      if (answer && answer.status >= 500) expect(answer.status).toBe(503);
      return answer && answer.status < 300 && { seq: answer.body.messages[0]!.seq, status: answer.status };
    },
    60_000,
  );
}

/** What the checker holds against the rows and files of a stack; bytes that a crash left staged may still be there. */
export async function expectSound(stack: Stack): Promise<void> {
  const found = await checkRun({
    databaseUrl: stack.databaseUrl,
    outputsFolder: stack.outputsFolder,
    journals: [],
  });
  expect(found.filter((violation) => violation.invariant !== 'I14')).toEqual([]);
}

export const outcomes = async (stack: Stack, threadId: string): Promise<(string | null)[]> =>
  (
    await rowsOf<{ outcome: string | null }>(
      stack.databaseUrl,
      `SELECT a.outcome FROM compaction_attempts a JOIN threads t ON t.uid = a.thread_uid WHERE t.id = $1 ORDER BY epoch`,
      [threadId],
    )
  ).map((row) => row.outcome);
