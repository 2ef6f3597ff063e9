import type { Schemas } from '@spillway/client';
import { causeOf } from '../program/explain-error.js';
import { notChecked, ok, problem, warning, type Finding } from './finding.js';

export const requestTimeoutMs = 10_000;

/** Whether the API answers, what it says of Postgres, Redis and the storage of outputs, and how its clock differs from this one. */
export async function checkServer(url: URL): Promise<{ findings: Finding[]; answers: boolean }> {
  const started = Date.now();
  const health = await get(new URL('healthz', url));
  if (health instanceof Error) return { findings: [unreachable(url, health)], answers: false };
  const ms = Date.now() - started;
  if ((health.body as Partial<Schemas['Health']> | null)?.status !== 'ok')
    return { findings: [otherServer(url, health.status)], answers: false };
  const clock = clockFinding(health.date, started + ms / 2);
  const ready = await get(new URL('readyz', url));
  const stores = ready instanceof Error ? [unreachable(url, ready)] : storeFindings(ready.body);
  return {
    findings: [ok('server', `${url.origin} answers, in ${ms} ms.`), ...transport(url), clock, ...stores],
    answers: true,
  };
}

interface Answer {
  status: number;
  date: string | null;
  body: unknown;
}

async function get(url: URL): Promise<Answer | Error> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs), redirect: 'manual' });
    const text = await response.text();
    return { status: response.status, date: response.headers.get('date'), body: jsonOf(text) };
  } catch (error) {
    return error as Error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Words for what the system says of a connection, by its code. */
const advice: [RegExp, string][] = [
  [/ECONNREFUSED/, 'Start the server, or set SPILLWAY_URL to the address where it listens.'],
  [/ENOTFOUND|EAI_AGAIN/, 'Check the name in SPILLWAY_URL: no such host is known here.'],
  [/certificate|CERT|self[- ]signed/i, 'Give Node.js the certificate authority: NODE_EXTRA_CA_CERTS=<file>.'],
  [/bad port/, 'Fetch refuses this port, as browsers do. Choose another one for the API.'],
  [/wrong version number|SSL|EPROTO/i, 'Check http or https in SPILLWAY_URL.'],
  [
    /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/i,
    'Check the network and firewalls between here and the server.',
  ],
];

function unreachable(url: URL, error: Error): Finding {
  const cause = causeOf(error);
  const next =
    advice.find(([pattern]) => pattern.test(cause))?.[1] ?? 'Check SPILLWAY_URL and the log of the server.';
  return problem(
    'server',
    `${url.origin} cannot be reached: ${cause}.`,
    'Nothing else works without it.',
    next,
  );
}

const otherServer = (url: URL, status: number): Finding =>
  problem(
    'server',
    `${new URL('healthz', url).href} answers with ${status}, and not as Spillway does.`,
    'Another program, or a proxy, answers at this address.',
    'Set SPILLWAY_URL to the address of the API. The console has another port, 4001 by default.',
  );

const local = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const transport = (url: URL): Finding[] =>
  url.protocol === 'https:' || local.test(url.hostname)
    ? []
    : [
        warning(
          'transport',
          `The connection to ${url.hostname} is not encrypted.`,
          'Whoever is between here and there can read the key and the messages.',
          'Put a proxy with TLS before the API and set SPILLWAY_URL to https://, unless the network is private.',
        ),
      ];

const tolerableSkewMs = 30_000;
/** What receivers of webhooks tolerate, by Standard Webhooks. */
const harmfulSkewMs = 300_000;

/** The header Date has whole seconds: half a second is added for the part that it leaves out. */
function clockFinding(date: string | null, at: number): Finding {
  const server = date === null ? NaN : Date.parse(date) + 500;
  if (Number.isNaN(server)) return notChecked('clock', 'The server sent no time.');
  const skewMs = server - at;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (seconds * 1_000 <= tolerableSkewMs)
    return ok('clock', `Differs from the server's by ${seconds} s or less.`);
  const found = `The server's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this one.`;
  const why =
    'Keys, tokens and signatures of webhooks are valid for a time, and logs of both sides do not match.';
  const next = 'Set both clocks by NTP: `timedatectl` shows whether they are.';
  return Math.abs(skewMs) >= harmfulSkewMs
    ? problem('clock', found, why, next)
    : warning('clock', found, why, next);
}

function postgresFinding(postgres: Schemas['Readiness']['postgres'] | undefined): Finding {
  if (postgres === 'ok') return ok('postgres', 'The API reaches it.');
  if (postgres === 'outdated')
    return problem(
      'postgres',
      'The tables in Postgres are older than the API.',
      'Requests fail where they need what a migration adds.',
      'Run the program that migrates, `docker compose run --rm migrate`; the API need not be started again.',
    );
  return problem(
    'postgres',
    'The API does not reach Postgres.',
    'Postgres has the threads: every request fails with 503 until it is back.',
    'Check that Postgres runs and that DATABASE_URL of the API is right; the log of the API has the error.',
  );
}

function storeFindings(body: unknown): Finding[] {
  const { postgres, redis, outputs } = (body ?? {}) as Partial<Schemas['Readiness']>;
  return [postgresFinding(postgres), redisFinding(redis), ...storageFindings(outputs)];
}

/** A server of an older version says nothing of its storage. */
function storageFindings(outputs: Schemas['Readiness']['outputs'] | undefined): Finding[] {
  if (outputs === undefined) return [];
  if (outputs === 'ok') return [ok('output storage', 'The API writes to it.')];
  return [
    problem(
      'output storage',
      'The API cannot write to the storage of outputs.',
      'Appends with a tool result over the limit fail with 503; other requests are served.',
      'Check SPILLWAY_OUTPUTS, the permissions and the free space of the folder, or the keys and the bucket of S3. The log of the API has the error.',
    ),
  ];
}

function redisFinding(redis: Schemas['Readiness']['redis'] | undefined): Finding {
  if (redis === 'ok') return ok('redis', 'The API reaches it.');
  if (redis === 'none') return notChecked('redis', 'The API is set up without Redis: workers poll Postgres.');
  const then = 'Nothing is lost: compactions start seconds later, because workers poll Postgres.';
  return redis === 'read_only'
    ? problem(
        'redis',
        'Redis takes no writes.',
        then,
        'Its memory or its disk is full, or it is a replica: raise maxmemory, free the disk, or name the primary in REDIS_URL.',
      )
    : problem(
        'redis',
        'The API does not reach Redis.',
        then,
        'Start Redis, or correct REDIS_URL of the API and the workers. It may come back empty.',
      );
}
