import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { policyInput } from '@spillway/contracts';
import { eraseThread, openRuntime, readEnv, rewindThread } from '@spillway/service';
import { asProject } from '@spillway/store';
import { freshDatabase, rowsOf } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

/** One statement changes no more than that. */
const atOnce = 20_000;
const messages = 2 * atOnce + 500;

let url: string;
let folder: string;
let rt: ReturnType<typeof openRuntime>;
let projectId: string;
beforeAll(async () => {
  url = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'long-threads-'));
  const env = {
    DATABASE_URL: url,
    SPILLWAY_OUTPUTS: pathToFileURL(folder).href,
    LOG_LEVEL: 'silent',
  };
  rt = openRuntime(readEnv(env, policyInput), 'api');
  const [project] = await rowsOf<{ id: string }>(
    url,
    `INSERT INTO projects (name) VALUES ('p') RETURNING id`,
  );
  projectId = project!.id;
  // Postgres ends a statement that takes too long. How long one takes depends on the machine, how much it does does not.
  await rowsOf(
    url,
    `CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM changed) > ${atOnce} THEN RAISE 'one statement changes more than ${atOnce} messages'; END IF;
      RETURN NULL;
    END $$`,
  );
  for (const event of ['DELETE', 'UPDATE'])
    await rowsOf(
      url,
      `CREATE TRIGGER refuse_many_${event} AFTER ${event} ON messages REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`,
    );
});
afterAll(async () => {
  await rt?.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  await rowsOf(url, 'DELETE FROM threads');
  await rowsOf(url, 'TRUNCATE messages, served_contexts, rewinds');
  await rowsOf(
    url,
    `WITH thread AS (
      INSERT INTO threads (project_id, id, context_window, limit_tokens, trigger_tokens, next_seq, live_tokens,
        total_tokens, weighed_version)
      VALUES ($1, 'long', 100000000, 100000000, 90000000, ${messages} + 1, ${messages}, ${messages} * 3, 1) RETURNING uid
    ), said AS (
      INSERT INTO messages (project_id, thread_uid, seq, role, pinned, tokens, full_tokens, body, hash)
      SELECT $1, uid, n, 'user', false, 1, 3, '{"role":"user","content":"Hi."}', ''
      FROM thread, generate_series(1, ${messages}) n
    )
    INSERT INTO served_contexts (project_id, thread_uid, seq, generation, fingerprint, tokens, frame)
    SELECT $1, uid, n, 0, '', 1, '{}' FROM thread, generate_series(1, ${messages}, 100) n`,
    [projectId],
  );
});

const counts = async () => {
  const [row] = await rowsOf<{ messages: number; rewound: number; served: number }>(
    url,
    `SELECT (SELECT count(*)::int FROM messages) AS messages, (SELECT count(*)::int FROM served_contexts) AS served,
      (SELECT count(*)::int FROM messages WHERE rewound_before = ${messages + 1}) AS rewound`,
  );
  return row;
};

test('a thread is erased by statements that delete at most 20,000 messages each', async () => {
  await asProject(projectId, 'service', () => eraseThread(rt, projectId, 'long'));
  expect(await counts()).toEqual({ messages: 0, rewound: 0, served: 0 });
});

test('messages are rewound by statements that mark at most 20,000 of them each', async () => {
  const asked = { projectId, threadId: 'long', toSeq: 7, key: 'once' };
  const rewound = await asProject(projectId, 'service', () => rewindThread(rt, asked));
  expect(rewound).toMatchObject({ messages: messages - 7, replayed: false });
  expect(rewound.thread).toMatchObject({ headSeq: 7, totalTokens: '21' });
  expect(await counts()).toMatchObject({ messages, rewound: messages - 7 });
  const again = await asProject(projectId, 'service', () => rewindThread(rt, asked));
  expect(again).toMatchObject({ messages: messages - 7, replayed: true });
});

test('a rewind that fails after it marked most messages marks none', async () => {
  await rowsOf(
    url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON rewinds FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
  const asked = { projectId, threadId: 'long', toSeq: 7 };
  await expect(asProject(projectId, 'service', () => rewindThread(rt, asked))).rejects.toThrow('no');
  expect(await counts()).toMatchObject({ messages, rewound: 0 });
});
