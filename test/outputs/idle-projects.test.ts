import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { policyInput } from '@spillway/contracts';
import { openRuntime, readEnv, sweepOutputs, sweepStorage } from '@spillway/service';
import { asService, projectsToSweep } from '@spillway/store';
import { countSyncs, freshDatabase, rowsOf, type SyncCounter } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let url: string;
let folder: string;
let counter: SyncCounter;
let rt: ReturnType<typeof openRuntime>;
beforeAll(async () => {
  url = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'idle-projects-'));
  counter = await countSyncs(url);
  const env = {
    DATABASE_URL: counter.through(url),
    SPILLWAY_OUTPUTS: pathToFileURL(folder).href,
    LOG_LEVEL: 'silent',
  };
  const policy = { outputs: { max_bytes: 1_000 } };
  rt = openRuntime({ ...readEnv(env, policyInput), policy }, 'sweeper');
});
afterAll(async () => {
  await rt?.close();
  counter?.stop();
  await rm(folder, { recursive: true });
});

const sql = (text: string, values: unknown[] = []) => rowsOf<{ id: string }>(url, text, values);

beforeEach(async () => {
  await sql('TRUNCATE projects, threads, outputs, output_bytes, media, media_uses, webhook_deliveries');
  await sql('TRUNCATE compaction_attempts, thread_tokens, usage_writers, key_usage_days, sweeps, sessions');
});

const addProjects = async (count: number, policy = {}): Promise<string[]> => {
  const rows = await sql(
    'INSERT INTO projects (name, policy) SELECT gen_random_uuid(), $2 FROM generate_series(1, $1::int) RETURNING id',
    [count, JSON.stringify(policy)],
  );
  return rows.map(({ id }) => id);
};

/** An output with these columns in each project, of 100 bytes unless they say otherwise. */
const addOutput = (projects: readonly string[], columns: Record<string, string> = {}) => {
  const { state = `'ready'`, bytes = '100', expires_at = `now() + interval '1 day'`, ...others } = columns;
  const names = Object.keys(others).map((name) => `, ${name}`);
  const values = Object.values(others).map((value) => `, ${value}`);
  return sql(
    `INSERT INTO outputs (project_id, id, blob_key, bytes, lines, tokens, content_type, kind, sha256, line_index, state,
        expires_at${names.join('')})
      SELECT p, 'out_' || gen_random_uuid(), gen_random_uuid(), ${bytes}, 1, 1, 'text/plain', 'text', '', '{}', ${state},
        ${expires_at}${values.join('')} FROM unnest($1::uuid[]) p`,
    [projects],
  );
};
const addThread = (projects: readonly string[], columns: Record<string, string> = {}) =>
  sql(
    `INSERT INTO threads (project_id, id, context_window, limit_tokens, trigger_tokens${Object.keys(columns)
      .map((name) => `, ${name}`)
      .join('')})
      SELECT p, gen_random_uuid(), 8000, 8000, 6400${Object.values(columns)
        .map((value) => `, ${value}`)
        .join('')} FROM unnest($1::uuid[]) p`,
    [projects],
  );
const addMedium = (projects: readonly string[], touchedAt: string) =>
  sql(
    `INSERT INTO media (project_id, sha256, extension, bytes, touched_at)
      SELECT p, gen_random_uuid(), 'png', 1, ${touchedAt} FROM unnest($1::uuid[]) p`,
    [projects],
  );
const useMedia = () =>
  sql(
    'INSERT INTO media_uses SELECT project_id, gen_random_uuid(), sha256 FROM media RETURNING sha256 AS id',
  );
const addDelivery = (projects: readonly string[], endedAt: string) =>
  sql(
    `INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, type, payload, state, ended_at)
      SELECT p, gen_random_uuid(), 'm', 'message.recorded', '{}', 'delivered', ${endedAt} FROM unnest($1::uuid[]) p`,
    [projects],
  );
const addToken = (projects: readonly string[], expiresAt: string) =>
  sql(
    `INSERT INTO thread_tokens (project_id, thread_uid, key_id, hash, scopes, expires_at)
      SELECT p, gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text::bytea, '{}', ${expiresAt}
      FROM unnest($1::uuid[]) p`,
    [projects],
  );
const addUsageWriter = (projects: readonly string[], writtenAt: string) =>
  sql(
    `INSERT INTO usage_writers (project_id, id, batch, written_at)
      SELECT p, gen_random_uuid(), 1, ${writtenAt} FROM unnest($1::uuid[]) p`,
    [projects],
  );
const addKeyUsage = (projects: readonly string[], day: string) =>
  sql(
    `INSERT INTO key_usage_days (project_id, day, key_id, chat_tokens)
      SELECT p, ${day}, gen_random_uuid(), 1 FROM unnest($1::uuid[]) p`,
    [projects],
  );
const addSweeps = (projects: readonly string[], count: number, startedAt: string) =>
  sql(
    `INSERT INTO sweeps (project_id, duration_ms, expired, over_budget, deleted, bytes_freed, started_at)
      SELECT p, 1, 0, 0, 1, 1, ${startedAt} - n * interval '1 minute'
      FROM unnest($1::uuid[]) p, generate_series(1, $2::int) n`,
    [projects, count],
  );
const addSession = (projects: readonly string[], createdAt: string) =>
  sql(
    `INSERT INTO sessions (project_id, key_id, hash, created_at)
      SELECT p, gen_random_uuid(), gen_random_uuid()::text::bytea, ${createdAt} FROM unnest($1::uuid[]) p`,
    [projects],
  );
const addOpenAttempt = (projects: readonly string[]) =>
  sql(
    `INSERT INTO compaction_attempts (project_id, thread_uid, epoch, trigger)
      SELECT project_id, uid, 1, 'threshold' FROM threads WHERE project_id = ANY($1)`,
    [projects],
  );

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = counter.count();
  await work();
  return counter.count() - before;
}

describe('projects with nothing to sweep cost no statement', () => {
  test.each([
    ['outputs', sweepOutputs],
    ['storage', sweepStorage],
  ])('in the sweep of %s', async (_, sweep) => {
    await addProjects(5);
    // The first one of a process opens its connections.
    await sweep(rt);
    const few = await statementsOf(() => sweep(rt));
    await addProjects(45);
    expect(await statementsOf(() => sweep(rt))).toBe(few);
  });

  test('also with outputs, threads, media, deliveries, tokens, sessions, sweeps and writers of usage that are to stay', async () => {
    await addProjects(1);
    await sweepOutputs(rt);
    const few = await statementsOf(() => sweepOutputs(rt));
    const projects = [
      ...(await addProjects(10)),
      ...(await addProjects(10, { outputs: { max_bytes: 100 } })),
    ];
    await addOutput(projects);
    await addOutput(projects, { state: `'staging'` });
    await addOutput(projects, { state: `'deleting'`, delete_after: `now() + interval '1 h'` });
    await addOutput(projects, { pinned: 'true', state: `'deleted'`, expires_at: `now() - interval '1 h'` });
    await addThread(projects, { lease_until: `now() + interval '1 h'` });
    await addOpenAttempt(projects);
    await addThread(projects, { deleted_at: 'now()', files_removed_at: 'now()' });
    await addThread(projects, { deleted_at: 'now()', remove_after: `now() + interval '1 h'` });
    await addMedium(projects, `now() - interval '2 h'`);
    await useMedia();
    await addMedium(projects, 'now()');
    await addDelivery(projects, `now() - interval '6 days'`);
    await addToken(projects, `now() - interval '29 days'`);
    await addUsageWriter(projects, `now() - interval '6 days'`);
    await addKeyUsage(projects, `now() - interval '6 days'`);
    await addSweeps(projects, 15, `now() - interval '1 year'`);
    await addSweeps(projects, 5, `now() - interval '1 day'`);
    await addSession(projects, `now() - interval '90 days'`);
    await sweepOutputs(rt);
    expect(await statementsOf(() => sweepOutputs(rt))).toBe(few);
  });

  test('and count as swept', async () => {
    const swept = async () => {
      const text = await rt.metrics.text();
      return Number(/spillway_sweeps_total\{sweep="outputs",outcome="done"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const [before, [busy]] = [await swept(), await addProjects(7)];
    await addOutput([busy!], { expires_at: `now() - interval '1 s'` });
    await sweepOutputs(rt);
    expect((await swept()) - before).toBe(7);
  });
});

test('a policy that cannot be read fails the sweep of its project alone', async () => {
  const [broken, other] = [await addProjects(1), await addProjects(1)];
  await sql('UPDATE projects SET policy = $2 WHERE id = ANY($1)', [broken, '{"preset": "gone"}']);
  await addOutput(broken);
  await addOutput(other, { expires_at: `now() - interval '1 s'` });
  expect(await sweepOutputs(rt)).toMatchObject({ facts: { deleted: 0, failed: 1 } });
  expect(await sql(`SELECT id FROM outputs WHERE state = 'deleting'`)).toHaveLength(1);
});

test('a project that is being erased is left to its erasure', async () => {
  const limits = {
    maxBytes: 1_000,
    keepDeliveriesMs: 1,
    keepTokensMs: 1,
    keepWritersMs: 1,
    keepSweepsMs: 1,
    keepSessionsMs: 1,
  };
  const look = () => asService(() => projectsToSweep(rt.store.query, limits));
  const [id] = await addProjects(1);
  await addOutput([id!], { expires_at: `now() - interval '1 s'` });
  expect(await look()).toMatchObject({ projects: 1, found: [{ id, isDue: true }] });
  await sql('UPDATE projects SET erased_at = now()');
  expect(await look()).toEqual({ projects: 0, found: [] });
});

test('a sweep forgets the sweeps of last week down to the newest 20, and keeps those of this week', async () => {
  const [few, many] = [await addProjects(1), await addProjects(1)];
  await addSweeps(few, 30, `now() - interval '8 days'`);
  await addSweeps(many, 30, `now() - interval '6 days'`);
  await addSweeps(many, 30, `now() - interval '8 days'`);
  await sweepOutputs(rt);
  const left = (of: string[]) => sql('SELECT id FROM sweeps WHERE project_id = ANY($1)', [of]);
  expect(await left(few)).toHaveLength(20);
  expect(await left(many)).toHaveLength(30);
});

interface Rows {
  what: string;
  add: (projects: readonly string[]) => Promise<unknown>;
  /** The rows that the sweep is to leave. */
  left: string;
  policy?: object;
}

describe('a sweep visits a project once that has', () => {
  const readable = `SELECT id FROM outputs WHERE state = 'ready'`;
  test.each<Rows>([
    {
      what: 'an expired output',
      add: (of) => addOutput(of, { expires_at: `now() - interval '1 s'` }),
      left: readable,
    },
    {
      what: 'an output whose grace period is over',
      add: (of) => addOutput(of, { state: `'deleting'`, delete_after: `now() - interval '1 s'` }),
      left: `SELECT id FROM outputs WHERE state <> 'deleted'`,
    },
    {
      what: 'an output that no message took',
      add: (of) => addOutput(of, { state: `'staging'`, created_at: `now() - interval '61 min'` }),
      left: `SELECT id FROM outputs WHERE state = 'staging'`,
    },
    {
      what: 'outputs beyond the byte budget of the server',
      add: (of) => addOutput(of, { bytes: '1001' }),
      left: readable,
    },
    {
      what: 'outputs beyond its own byte budget',
      add: addOutput,
      policy: { outputs: { max_bytes: 50 } },
      left: readable,
    },
    {
      what: 'an output that is not pinned any more, beyond the byte budget',
      policy: { outputs: { max_bytes: 50 } },
      add: async (of) => {
        await addOutput(of, { pinned: 'true' });
        await sweepOutputs(rt);
        await sql('UPDATE outputs SET pinned = false');
      },
      left: readable,
    },
    {
      what: 'several changes of its bytes',
      add: async (of) => {
        await addOutput(of);
        await addOutput(of);
      },
      left: 'SELECT id FROM output_bytes OFFSET 1',
    },
    {
      what: 'an erased thread',
      add: (of) => addThread(of, { deleted_at: 'now()' }),
      left: 'SELECT id FROM threads WHERE files_removed_at IS NULL',
    },
    {
      what: 'an attempt whose lease was lost',
      add: async (of) => {
        await addThread(of, { lease_until: `now() - interval '1 s'` });
        await addOpenAttempt(of);
      },
      left: 'SELECT FROM compaction_attempts WHERE outcome IS NULL',
    },
    {
      what: 'a medium that nothing uses',
      add: (of) => addMedium(of, `now() - interval '61 min'`),
      left: 'SELECT FROM media',
    },
    {
      what: 'a delivery of last week',
      add: (of) => addDelivery(of, `now() - interval '8 days'`),
      left: 'SELECT FROM webhook_deliveries',
    },
    {
      what: 'a token that ended last month',
      add: (of) => addToken(of, `now() - interval '31 days'`),
      left: 'SELECT FROM thread_tokens',
    },
    {
      what: 'a process that counted usage last week',
      add: (of) => addUsageWriter(of, `now() - interval '8 days'`),
      left: 'SELECT FROM usage_writers',
    },
    {
      what: 'what a key took last week',
      add: (of) => addKeyUsage(of, `now() - interval '8 days'`),
      left: 'SELECT FROM key_usage_days',
    },
    {
      what: 'a sweep of last week, besides the newest 20',
      add: async (of) => {
        await addSweeps(of, 1, `now() - interval '8 days'`);
        await addSweeps(of, 20, `now() - interval '7 days'`);
      },
      left: 'SELECT id FROM sweeps ORDER BY started_at DESC OFFSET 20',
    },
    {
      what: 'a session of the last quarter',
      add: (of) => addSession(of, `now() - interval '91 days'`),
      left: 'SELECT FROM sessions',
    },
  ])('$what', async ({ add, left, policy }) => {
    await addProjects(2);
    await sweepOutputs(rt);
    const idle = await statementsOf(() => sweepOutputs(rt));
    await add(await addProjects(1, policy));
    expect(await sql(left)).toHaveLength(1);
    for (let n = 0; n < 2; n++) await sweepOutputs(rt);
    expect(await sql(left)).toEqual([]);
    expect(await statementsOf(() => sweepOutputs(rt))).toBe(idle);
  });
});
