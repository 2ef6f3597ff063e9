import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { randomOf, until, type Random } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { everyRoute, type Operation } from './every-route.js';
import { goodRequest } from './good-requests.js';
import { hostile, raw, statuses } from './hostile.js';
import { mutateBytes, mutateJson, mutatePath } from './mutations.js';

const isFull = process.env.SPILLWAY_ABUSE === 'full';
const requests = isFull ? 100_000 : 3_000;
/** The same each time in `npm test`, a new one in the long run. */
const seed = Number(process.env.SPILLWAY_ABUSE_SEED ?? (isFull ? Date.now() % 2 ** 32 : 1));
const atOnce = 8;
const { api, key, stack } = hostile('fuzz');

let routes: Operation[];
let outputId: string;
beforeAll(async () => {
  console.log(`fuzz: ${requests} requests, SPILLWAY_ABUSE_SEED=${seed}`);
  // A stream has no end to wait for; test/events/event-streams.test.ts is hostile to it.
  routes = (await everyRoute(stack.url)).filter(({ id }) => id !== 'streamEvents');
  const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } };
  const turns = Array.from({ length: 30 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `turn ${i}`,
  }));
  for (const i of [1, 2, 3, 4]) await api.append(`fuzzed-${i}`, ...turns);
  const posted = await api.append(
    'fuzzed-0',
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'line\n'.repeat(20_000) },
  );
  outputId = posted.messages[1]!.output!.id;
});

/** Wrong keys are counted by address: those of the fuzz come from one of its own, so that no other test is told to wait. */
const from = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
const agent = new Agent({ keepAlive: true, maxSockets: atOnce, ...from });
/** What is wrong within, sent as it should be: it gets past the parser of HTTP. */
function sendOn(method: string, path: string, body: Buffer): Promise<number> {
  const { hostname, port } = new URL(stack.url);
  const type = body.length > 0 ? { 'content-type': 'application/json' } : {};
  const headers = { authorization: `Bearer ${key}`, 'content-length': body.length, ...type };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers, timeout: 60_000 }, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode!))
        .on('error', reject);
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(body);
  });
}

const sometimes = (random: Random, change: () => void) => {
  do change();
  while (random.chance(0.4));
};

/** One request out of the seed and its number; what it was, and the statuses that came back. */
async function attack(n: number): Promise<{ what: string; codes: number[] }> {
  const random = randomOf(seed + n);
  // Mostly a thread that is there and grows a little, so that what is wrong meets something that is right.
  const threads = [0, 1, 2, 3, 4].map((i) => `fuzzed-${i}`).concat(`fuzzed-new-${n}`);
  const kind = random.next();
  const part = kind < 0.4 ? 'body' : kind < 0.7 ? 'query' : 'any';
  let { method, path, body: json } = goodRequest(random, { routes, threads, output: outputId, part });
  if (kind < 0.8) {
    if (part === 'body') sometimes(random, () => (json = mutateJson(random, json)));
    else sometimes(random, () => (path = mutatePath(random, path)));
    let body = Buffer.from(JSON.stringify(json) ?? '');
    if (random.chance(0.1)) body = Buffer.from(mutateBytes(random, body));
    if (random.chance(0.05))
      method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
    return {
      what: `${method} ${path} ${body.toString('latin1')}`,
      codes: [await sendOn(method, path, body)],
    };
  }
  const body = Buffer.from(json === undefined ? '' : JSON.stringify(json));
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${type}\r\n\r\n`;
  let bytes = Buffer.concat([Buffer.from(head), body]);
  sometimes(random, () => (bytes = Buffer.from(mutateBytes(random, bytes))));
  return { what: bytes.toString('latin1'), codes: statuses(await raw(bytes, { withinMs: 60_000, from })) };
}

const canWait = /^[A-Z]+ \S+\/(grep|outline|search)\b/;

const handles = () => readdirSync(`/proc/${stack.pid}/fd`).length;
const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.pid}/status`, 'utf8'))![1]) / 1_024;

test(
  'A59 no mutated request is answered with a 5xx, and memory and handles stay',
  { timeout: isFull ? 3_600_000 : 120_000 },
  async () => {
    const seen = new Map<number, number>();
    let next = 0;
    const run = (until: number) =>
      Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (next < until) {
            const n = next++;
            const { what, codes } = await attack(n);
            for (const code of codes) {
              seen.set(code, (seen.get(code) ?? 0) + 1);
              // On a machine that is busy these are told to come back, as they would be in production.
              if (code === 503 && canWait.test(what)) continue;
              expect(code, `seed ${seed}, request ${n}: ${what.slice(0, 4_000)}`).toBeLessThan(500);
            }
          }
        }),
      );
    // What a process holds once it has met everything is its own; what is added after that is a leak.
    await run(Math.floor(requests / 3));
    const before = { handles: handles(), memoryMb: memoryMb() };
    await run(requests);
    agent.destroy();
    expect((await api.call('GET', '/v1/threads?limit=1')).status).toBe(200);
    console.log(
      `fuzz: ${JSON.stringify([...seen].sort())}, ${before.memoryMb.toFixed(0)} -> ${memoryMb().toFixed(0)} MB, ${before.handles} -> ${handles()} handles`,
    );
    expect(seen.size).toBeGreaterThan(5);
    // Another file's requests to the same API have handles and take memory too: they end, and what a leak holds stays.
    await until('handles are closed', () => Promise.resolve(handles() - before.handles < 40));
    await until('memory is given back', () => Promise.resolve(memoryMb() - before.memoryMb < 200));
  },
);
