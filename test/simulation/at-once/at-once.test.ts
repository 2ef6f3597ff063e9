// @module-tag long
import { apiOf, randomOf, rowsOf, startStack, untilQuiet, type Stack } from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound } from '../../faults/fault-rig.js';
import { sized } from '../../sizes.js';
import { readFork } from './requests/reads.js';
import { newClient, type Client, type Request } from './requests/request.js';
import { readAll, requestsOf } from './requests/requests.js';
import { inSomeOrder, type Done } from './serial-order.js';
import { emptyThread, type ModelThread } from './thread-model.js';

/** The same each time; SEED=fresh takes another one. How requests overlap depends on the machine all the same. */
const seed =
  process.env.SEED === 'fresh' ? Date.now() % 2 ** 31 : Number(process.env.SEED ?? 20_261_127) % 2 ** 31;
const ms = sized(25_000, 600_000);
const roundsOfThread = 20;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    apis: 2,
    workers: 2,
    env: { SPILLWAY_POLL_MS: '300', SPILLWAY_LEASE_MS: '3000' },
  });
});
afterAll(() => stack?.stop());

const policies = {
  strict: { context: { context_window: 200_000 } },
  folding: { context: { context_window: 8_000, trigger_ratio: 0.2 }, summary: { max_tokens: 300 } },
  /** Without summaries, contexts leave out what is too much. */
  crowded: { context: { context_window: 3_000 }, summary: { enabled: false } },
};

async function send({ thread, random }: Client, request: Request): Promise<Done[]> {
  const api = apiOf({ url: random.pick(stack.apis).url, key: stack.key });
  const { method, path, body, headers, of = thread } = request;
  const sentAt = performance.now();
  const { status, body: text } = await api.call(method, `/v1/threads/${of}${path}`, body, headers);
  const reply = { status, body: text };
  const times = { sentAt, answeredAt: performance.now() };
  const name = `${method} ${of}${path} ${JSON.stringify(body ?? '').slice(0, 300)} ${JSON.stringify(headers ?? '')}`;
  const first: Done = { name, reply, ...times, step: request.step };
  if (!request.also) return [first];
  return [first, { ...first, name: `${name}: its context`, step: request.also, after: first }];
}

/** Requests that overlap, some of them twice; then what the thread shows. Returns the thread as it must be by then. */
async function round(
  client: Client,
  before: ModelThread,
  next: ReturnType<typeof requestsOf>,
): Promise<ModelThread> {
  const { random } = client;
  const some = Array.from({ length: 1 + random.below(4) }, () => next(before));
  const all = some.flatMap((request) => (random.chance(0.3) ? [request, request] : [request]));
  const sent = await Promise.all(
    all.map(async (request) => {
      await sleep(random.chance(0.5) ? 0 : random.below(12));
      return send(client, request);
    }),
  );
  const done = sent.flat();
  const forks = new Set(
    all.flatMap(({ fork }, i) => (fork !== undefined && sent[i]![0]!.reply.status < 300 ? [fork] : [])),
  );
  for (const request of [...readAll(client), ...[...forks].map(readFork)])
    done.push(...(await send(client, request)));
  const after = inSomeOrder(before, done);
  if (after) return after;
  const text = done.map(
    ({ name, reply, sentAt, answeredAt }) =>
      `${sentAt.toFixed(1)} - ${answeredAt.toFixed(1)}: ${name}\n    ${reply.status} ${JSON.stringify(reply.body).slice(0, 1_500)}`,
  );
  throw new Error(
    `seed ${seed}: no order of these requests explains their answers.\n${JSON.stringify({ ...before, messages: before.messages.map(({ content: _, ...one }) => one), rewinds: [...before.rewinds] })}\n${text.join('\n')}`,
  );
}

async function drive(name: string, policy: object, strict: boolean, until: number): Promise<number> {
  const random = randomOf(seed ^ [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  let rounds = 0;
  for (let n = 0; performance.now() < until; n++) {
    const thread = `${name}-${n}`;
    await apiOf({ url: stack.url, key: stack.key }).createThread({ id: thread, policy });
    const client = newClient(random, thread, strict);
    const next = requestsOf(client);
    let now = emptyThread;
    for (let i = 0; i < roundsOfThread && performance.now() < until; i++, rounds++)
      now = await round(client, now, next);
  }
  return rounds;
}

test(
  'requests at once, also the same one twice, are answered as in some order one after another',
  async () => {
    console.info(`at once: SEED=${seed}`);
    const until = performance.now() + ms;
    const rounds = await Promise.all([
      drive('strict-a', policies.strict, true, until),
      drive('strict-b', policies.strict, true, until),
      drive('folding-a', policies.folding, false, until),
      drive('folding-b', policies.folding, false, until),
      drive('crowded', policies.crowded, false, until),
    ]);
    console.info(`at once: ${rounds.join(' + ')} rounds`);
    expect(Math.min(...rounds)).toBeGreaterThan(0);
    await untilQuiet(stack.databaseUrl, 60_000);
    await expectSound(stack);
    const wrong = await rowsOf(
      stack.databaseUrl,
      `SELECT t.id FROM threads t WHERE t.total_tokens <> (SELECT coalesce(sum(full_tokens), 0) FROM messages m
       WHERE m.project_id = t.project_id AND m.thread_uid = t.uid AND m.rewound_before = 0)`,
    );
    expect(wrong).toEqual([]);
  },
  ms + 180_000,
);
