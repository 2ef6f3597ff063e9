import type { Schemas, Spillway } from '@spillway/client';
import { counted } from '../program/counted.js';
import { concernFinding } from './concern-finding.js';
import { allowedOrNull } from './allowed-or-null.js';
import { notChecked, ok, problem, warning, type Finding } from './finding.js';
import { version } from '../program/version.js';

/** What the API says of its workers, its summary model, its version, and what needs a person. */
export async function checkService(spillway: Spillway): Promise<Finding[]> {
  const attention = await readable<Schemas['Attention']>(spillway, '/v1/attention');
  const system = await readable<Schemas['System']>(spillway, '/v1/system');
  return [
    ...(attention
      ? attentionFindings(attention)
      : [
          notChecked(
            'workers',
            'Only a key of the project with the scope context:read sees workers and models.',
          ),
        ]),
    ...(system
      ? systemFindings(system)
      : [notChecked('version', 'Only a key with the scope admin sees the version and the model settings.')]),
  ];
}

const readable = <T>(spillway: Spillway, path: string): Promise<T | null> =>
  allowedOrNull(spillway.call<T>({ method: 'GET', path }));

function attentionFindings({ concerns, health }: Schemas['Attention']): Finding[] {
  const { due, running, backoff, parked } = health.counts;
  const found = concerns.filter(({ kind }) => kind !== 'model_failing').map(concernFinding);
  return [
    workerFinding(health),
    ...modelFinding(health.model),
    ...(found.length > 0
      ? found
      : [
          ok(
            'threads',
            `${due} due, ${running} running, ${backoff} backing off, ${parked} parked: nothing to do.`,
          ),
        ]),
  ];
}

type Health = Schemas['Attention']['health'];

function workerFinding(health: Health): Finding {
  const { redis, workers } = health;
  if (redis === 'none') return pollingFinding(health);
  if (workers === null) return notChecked('workers', 'Workers announce themselves in Redis, which is down.');
  if (workers > 0) return ok('workers', `${workers} running. ${lastWork(health)}`);
  return noWorker(`No worker runs. ${lastWork(health)}`);
}

/** The API names threads that are due for longer, too. */
const overdueMs = 60_000;

/** Nobody knows the workers of a service without Redis: that none runs shows by a thread that none takes. */
function pollingFinding(health: Health): Finding {
  const { oldest_due_ms: dueMs, counts } = health;
  if (dueMs !== null && dueMs > overdueMs && counts.running === 0)
    return noWorker(
      `No worker takes the thread that has been due for ${Math.round(dueMs / 1_000)} s. ${lastWork(health)}`,
    );
  return notChecked(
    'workers',
    `Without Redis workers do not announce themselves: threads that stay due would show that none runs. ${lastWork(health)}`,
  );
}

const lastWork = ({ last_attempt_at: last }: Health): string =>
  last === null ? 'No work was done for this project yet.' : `Last work for this project: ${last}.`;

const noWorker = (found: string): Finding =>
  problem(
    'workers',
    found,
    'Threads stay due: contexts leave out their oldest messages once they are full, and webhooks are not sent.',
    'Start one: `docker compose up -d worker`, or apps/worker with the DATABASE_URL and REDIS_URL of the API.',
  );

function modelFinding(model: Schemas['ModelHealth'] | null): Finding[] {
  if (model === null) return [ok('model', 'Summaries are made by code, without a model.')];
  if (model.state === 'ok') return [ok('model', `The last call succeeded, at ${model.last_ok_at}.`)];
  if (model.state === 'unknown') return [ok('model', 'Not called within a week.')];
  return [
    problem(
      'model',
      `The last ${model.failures === 1 ? 'call' : `${model.failures} calls`} failed, since ${model.failing_since}: ${model.last_error ?? 'no reason given'}`,
      ...remedyOf(model),
    ),
  ];
}

/** What follows from a failing model, and what to do. Threads that wait without a next try are parked for its key. */
function remedyOf({ waiting, next_try_at: next }: Schemas['ModelHealth']): [why: string, next: string] {
  if (next === null && waiting > 0)
    return [
      `Parked until a person acts: ${counted(waiting, 'thread')}. Nothing is tried again by itself, and contexts leave out old messages once they are full.`,
      'Correct the key, the model or its address and start the workers again, then `Retry all` on the jobs page, or POST /v1/queue/retry.',
    ];
  const tried = next === null ? 'the next compaction is the next try' : `the next try is at ${next}`;
  return [
    `Waiting for a summary: ${counted(waiting, 'thread')}. While the provider is unavailable, code makes one in its place after a while.`,
    `auth: correct the key, the model or its address, then retry the parked threads. rate_limited: raise the quota. unavailable: wait; ${tried}.`,
  ];
}

function systemFindings({ versions, model }: Schemas['System']): Finding[] {
  const about = `Spillway ${versions.spillway}, Node.js ${versions.node}, Postgres ${versions.postgres ?? 'unknown'}.`;
  return [
    versions.spillway === version
      ? ok('version', about)
      : warning(
          'version',
          `${about} This program is ${version}.`,
          'A command may ask for what the server does not have yet, or lack what it has.',
          `Use the program of the same version: npx @spillway/cli@${versions.spillway}.`,
        ),
    ...(model && !model.has_key && model.base_url === null
      ? [
          problem(
            'model key',
            `The provider ${model.provider} is configured without a key.`,
            'Every call of it is refused, so every summary is made by code.',
            'Set SPILLWAY_LLM_API_KEY for the API and the workers, then start them again.',
          ),
        ]
      : []),
  ];
}
