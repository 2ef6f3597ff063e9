import { Agent, request } from 'node:http';

export interface Loop {
  url: string;
  key: string;
  inFlight: number;
  seconds: number;
  /** The nth request. */
  next: (n: number) => { method: string; path: string; body?: string };
}

export interface Loaded {
  /** Answers with a 2xx status, per second. */
  perSecond: number;
  /** Milliseconds of each. */
  latencies: number[];
  failures: number;
}

/** Keeps `inFlight` requests in progress over kept-alive connections for a while, and times each of them. */
export async function closedLoop({ url, key, inFlight, seconds, next }: Loop): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const latencies: number[] = [];
  let failures = 0;
  let n = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const from = performance.now();
      const status = await send(agent, url, key, next(n++));
      if (status >= 200 && status < 300) latencies.push(performance.now() - from);
      else failures++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  agent.destroy();
  return { perSecond: latencies.length / ((performance.now() - started) / 1000), latencies, failures };
}

function send(agent: Agent, url: string, key: string, call: ReturnType<Loop['next']>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url + call.path,
      {
        agent,
        method: call.method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(call.body
            ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(call.body) }
            : {}),
        },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(call.body);
  });
}
