import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Load {
  url: string;
  key: string;
  inFlight: number;
  seconds: number;
  /** Each connection sends its share of them in turns, over and over. */
  requests: readonly { method: 'GET' | 'POST'; path: string; body?: string }[];
}

export interface Loaded {
  /** Answers with a 2xx status, per second. */
  perSecond: number;
  /** Milliseconds of each. */
  latencies: number[];
  failures: number;
}

/**
 * Keeps `inFlight` requests in progress over kept-alive connections for a while. They come from a process of their own,
 * so that what measures does not slow down what is measured. Requests in progress at the end are cut, and not counted.
 */
export async function load({ url, key, inFlight, seconds, requests }: Load): Promise<Loaded> {
  const generator = fork(fileURLToPath(new URL('generator.js', import.meta.url)));
  const asked: Load = { url, key, inFlight, seconds, requests };
  generator.send(asked);
  const gone = once(generator, 'exit').then(([code]) => {
    throw new Error(`The load generator ended with ${code}.`);
  });
  const [loaded] = (await Promise.race([once(generator, 'message'), gone])) as [Loaded];
  gone.catch(() => undefined);
  return loaded;
}
