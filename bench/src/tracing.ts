import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, type AppProcess, type Stack } from '@spillway/testing';
import { median, round, type BenchResult } from './bench.js';
import { each } from './load/each.js';
import { messagesOf } from './load/texts.js';
import { cpuOf } from './load/cpu-time.js';

const rounds = 7;
const appends = 1_500;
const inFlight = 8;
/** Spans are sent in batches, a second after they ended. */
const settleMs = 1_500;

/** What tracing costs the API: CPU of an append with and without it, in turns, by two processes on one database. */
export async function tracing(stack: Stack): Promise<BenchResult> {
  const collector = await startCollector();
  const traced = await stack.startApi({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const measured = { plain: [] as number[], traced: [] as number[] };
  try {
    // The first round warms both processes up.
    for (let round = 0; round <= rounds; round++)
      for (const [name, api] of [
        ['plain', stack.api],
        ['traced', traced],
      ] as const) {
        const ms = await cpuOfAppends(stack.key, api, `${name}-${round}`);
        if (round > 0) measured[name].push(ms);
      }
  } finally {
    await traced.kill();
    await collector.stop();
  }
  const [plain, withTraces] = [median(measured.plain), median(measured.traced)];
  const differences = measured.traced.map((ms, i) => ms / measured.plain[i]! - 1).sort((a, b) => a - b);
  const share = (value: number): string => `${value < 0 ? '' : '+'}${round(value * 100)} %`;
  const expected = (rounds + 1) * appends;
  return {
    name: 'tracing',
    about: `CPU of the API for an append of a message of 1 KB, with and without traces, in ${rounds} turns of ${appends.toLocaleString('en-US')} appends each, ${inFlight} at a time. Each append is one span, and a collector takes all of them.`,
    complaints: collector.requests === 0 ? [`no spans of ${expected} requests were sent`] : [],
    rows: [
      {
        what: 'CPU of an append, traced',
        value: `${round(withTraces, 3)} ms`,
        against: `${round(plain, 3)} ms without traces`,
        target: `${share(median(differences))} (${share(differences[0]!)} to ${share(differences.at(-1)!)})`,
        reached: null,
      },
    ],
  };
}

/** Milliseconds of CPU that an API takes for an append, with what it does in the background. */
async function cpuOfAppends(key: string, { url, pid }: AppProcess, name: string): Promise<number> {
  const api = apiOf({ url, key });
  const append = (n: number) => api.append(`${name}-${n % 50}`, ...messagesOf(`${name}-${n}`, 1));
  await each(50, inFlight, append);
  const before = await cpuOf(pid);
  await each(appends, inFlight, (n) => append(50 + n));
  await sleep(settleMs);
  return ((await cpuOf(pid)) - before) / appends;
}

/** A collector that reads what it is sent and keeps nothing. */
async function startCollector() {
  const collector = { url: '', requests: 0, stop: () => Promise.resolve() };
  const server = createServer((request, response) => {
    collector.requests++;
    request.resume().once('end', () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  collector.stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return collector;
}
