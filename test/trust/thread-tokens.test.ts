import { routes, type Scope } from '@spillway/contracts';
import { apiOf, openEvents, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let admin: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_TIME_DIVISOR: '10' } });
  admin = apiOf(stack);
});
afterAll(() => stack?.stop());

interface Issued {
  id: string;
  token: string;
  scopes: Scope[];
  key_id: string;
  created_at: string;
  expires_at: string;
}
const every: Scope[] = ['messages:write', 'context:read', 'outputs:read', 'threads:manage'];
const as = (key: string, url = stack.url): Api => apiOf({ url, key });
const issue = (by: Api, thread: string, scopes: string[], more: object = {}) =>
  by.call<Issued & { code: string }>('POST', `/v1/threads/${thread}/tokens`, { scopes, ...more });
async function tokenOf(thread: string, scopes: Scope[] = every, by = admin) {
  const { status, body } = await issue(by, thread, scopes);
  expect(status).toBe(201);
  return { ...body, api: as(body.token) };
}
async function keyWith(scopes: Scope[]) {
  const { body } = await admin.call<{ id: string; key: string }>('POST', '/v1/keys', {
    ...{ name: 'agents', scopes },
  });
  return { id: body.id, key: body.key, api: as(body.key) };
}
const statusOf = async (api: Api, thread: string) => (await api.call('GET', `/v1/threads/${thread}`)).status;
const untilRefused = (api: Api, thread: string) =>
  until('the token is refused', async () => (await statusOf(api, thread)) === 401);

/** A thread with a message and an output. */
async function threadWithOutput(id: string): Promise<string> {
  const posted = await admin.append(id, ...toolRun('c', `${id} says `.repeat(20_000)));
  return posted.messages[1]!.output!.id;
}

describe('a thread token', () => {
  test('names the key that issued it, when it is issued and in the list', async () => {
    await admin.append('named', { role: 'user', content: 'hello' });
    const agents = await keyWith(['context:read']);
    const { body: issued } = await issue(agents.api, 'named', ['context:read']);
    expect(issued).toMatchObject({ key_id: agents.id, key_name: 'agents' });
    const { body } = await admin.call<{ data: object[] }>('GET', '/v1/threads/named/tokens');
    expect(body.data).toMatchObject([{ id: issued.id, key_id: agents.id, key_name: 'agents' }]);
  });

  test('reads and writes its own thread, its outputs and its events, and no others', async () => {
    const [output, other] = [await threadWithOutput('own'), await threadWithOutput('other')];
    const { api, token } = await tokenOf('own');
    expect((await api.append('own', { role: 'user', content: 'more' })).messages).toHaveLength(1);
    expect((await api.context('own')).messages.length).toBeGreaterThan(0);
    expect((await api.call('GET', `/v1/outputs/${output}/content`)).status).toBe(200);
    const stream = await openEvents({ url: stack.url, key: token }, { thread: 'own' });
    expect(stream.status).toBe(200);
    stream.close();
    expect(await statusOf(api, 'other')).toBe(404);
    expect((await api.call('GET', `/v1/outputs/${other}/content`)).status).toBe(404);
    for (const thread of [undefined, 'other']) {
      const refused = await openEvents({ url: stack.url, key: token }, thread ? { thread } : {});
      refused.close();
      expect(refused.status).toBe(403);
    }
  });

  test.each(every)('does what the scope %s says and nothing else', async (scope) => {
    await threadWithOutput(`only-${scope.replace(':', '-')}`);
    const thread = `only-${scope.replace(':', '-')}`;
    const { api } = await tokenOf(thread, [scope]);
    for (const [key, route] of Object.entries(routes)) {
      const isOfThread =
        key.includes('/v1/threads/{id}') && route.scope !== 'any' && route.id !== 'forkThread';
      if (!isOfThread || key === 'DELETE /v1/threads/{id}') continue;
      const [method, path] = key.split(' ') as [string, string];
      const url = path.replace('{id}', thread).replace(/\{\w+\}/g, 'x');
      const answer = await api.call<{ code: string }>(method, url, route.body ? { nonsense: 1 } : undefined);
      expect(answer.status, key).not.toBe(401);
      if (route.scope === scope && !route.alsoScope) expect(answer.status, key).not.toBe(403);
      else expect(answer, key).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test('makes no fork, and reads in a fork the outputs that it shares', async () => {
    const output = await threadWithOutput('forked');
    const { api } = await tokenOf('forked');
    expect(await api.call('POST', '/v1/threads/forked/fork', { id: 'reach' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await admin.call('POST', '/v1/threads/forked/fork', { id: 'fork' })).status).toBe(201);
    await admin.append('apart', { role: 'user', content: 'x' });
    const [{ api: ofFork }, { api: ofOther }] = [await tokenOf('fork'), await tokenOf('apart')];
    const read = async (by: Api) => (await by.call('GET', `/v1/outputs/${output}/content?head=1`)).status;
    expect([await read(api), await read(ofFork), await read(ofOther)]).toEqual([200, 200, 404]);
    // What a token keeps is kept in its own thread.
    await admin.call('PATCH', '/v1/threads/fork', { policy: { context: { context_window: 900_000 } } });
    expect(await ofFork.call('POST', `/v1/outputs/${output}/keep`)).toMatchObject({ status: 200 });
    const holds = await rowsOf(
      stack.databaseUrl,
      `SELECT DISTINCT t.id FROM messages m JOIN threads t ON t.uid = m.thread_uid WHERE m.hold IS NOT NULL`,
    );
    expect(holds).toEqual([{ id: 'fork' }]);
  });

  test('without context:read a fork is made, and its prompt is not shown', async () => {
    await admin.createThread({ id: 'prompted', system: 'A secret prompt.' });
    const { api } = await keyWith(['messages:write']);
    const made = await api.call('POST', '/v1/threads/prompted/fork', { id: 'prompted-fork' });
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.body)).not.toContain('secret');
    expect((await admin.thread('prompted-fork')).system).toBe('A secret prompt.');
  });

  test('issues no tokens, lists none and revokes none', async () => {
    await admin.append('alone', { role: 'user', content: 'x' });
    const { id, api } = await tokenOf('alone');
    for (const [method, path] of [
      ['POST', '/v1/threads/alone/tokens'],
      ['GET', '/v1/threads/alone/tokens'],
      ['DELETE', `/v1/threads/alone/tokens/${id}`],
      ['POST', '/v1/sessions'],
      ['GET', '/v1/threads'],
    ] as const) {
      const body = method === 'POST' && path.endsWith('tokens') ? { scopes: ['context:read'] } : undefined;
      expect(await api.call(method, path, body), path).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    }
    expect(await statusOf(api, 'alone')).toBe(200);
  });

  test('is known by its hash alone', async () => {
    await admin.append('hashed', { role: 'user', content: 'x' });
    const { id, token } = await tokenOf('hashed');
    const list = await admin.call('GET', '/v1/threads/hashed/tokens');
    expect(JSON.stringify(list.body)).toContain(id);
    expect(JSON.stringify(list.body)).not.toContain(token);
    const rows = await rowsOf(stack.databaseUrl, 'SELECT id, thread_tokens::text AS row FROM thread_tokens');
    expect(JSON.stringify(rows)).toContain(id);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a key issues thread tokens', () => {
  beforeAll(() => admin.append('issued', { role: 'user', content: 'x' }));

  test('with scopes of its own, never admin and never one that it lacks', async () => {
    const { api } = await keyWith(['context:read', 'messages:write']);
    expect((await issue(api, 'issued', ['context:read'])).body.scopes).toEqual(['context:read']);
    expect(await issue(api, 'issued', ['context:read', 'outputs:read'])).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await issue(admin, 'issued', ['admin'])).status).toBe(422);
    expect((await issue(admin, 'issued', [])).status).toBe(422);
    expect((await issue(admin, 'nowhere', ['context:read'])).status).toBe(404);
  });

  test('for a minute to a day, and an hour unless it says otherwise', async () => {
    const lifetime = async (more: object) => {
      const { created_at, expires_at } = (await issue(admin, 'issued', ['context:read'], more)).body;
      return Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1_000);
    };
    expect(await lifetime({})).toBe(3_600);
    expect(await lifetime({ ttl_s: 60 })).toBe(60);
    for (const seconds of [59, 86_401])
      expect((await issue(admin, 'issued', ['context:read'], { ttl_s: seconds })).status).toBe(422);
  });

  test('A116 a session does so only in the minutes after its key was shown', async () => {
    const { id, key, api } = await keyWith(['context:read']);
    const begun = await api.call<{ token: string }>('POST', '/v1/sessions');
    const session = as(begun.body.token);
    expect((await issue(session, 'issued', ['context:read'])).status).toBe(201);
    await rowsOf(
      stack.databaseUrl,
      "UPDATE sessions SET proved_at = now() - interval '6 minutes' WHERE key_id = $1",
      [id],
    );
    expect(await issue(session, 'issued', ['context:read'])).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    });
    expect((await session.call('POST', '/v1/sessions/current/proof', { key })).status).toBe(204);
    const { status, body } = await issue(session, 'issued', ['context:read']);
    expect([status, body.key_id]).toEqual([201, id]);
    // Its scopes are those of the key, and it ends with the key, not with the session.
    expect((await issue(session, 'issued', ['messages:write'])).status).toBe(403);
    await session.call('DELETE', '/v1/sessions/current');
    expect(await statusOf(as(body.token), 'issued')).toBe(200);
  });

  test('and sees and revokes its own, and all of them with threads:manage', async () => {
    await admin.append('shared', { role: 'user', content: 'x' });
    const [one, two] = [await keyWith(['context:read']), await keyWith(['context:read'])];
    const manager = await keyWith(['threads:manage']);
    const first = await tokenOf('shared', ['context:read'], one.api);
    const second = await tokenOf('shared', ['context:read'], two.api);
    const listed = async (by: Api) =>
      (await by.call<{ data: Issued[] }>('GET', '/v1/threads/shared/tokens')).body.data.map(({ id }) => id);
    expect(await listed(one.api)).toEqual([first.id]);
    expect(await listed(manager.api)).toEqual([second.id, first.id]);
    const revoke = async (by: Api, id: string) =>
      (await by.call('DELETE', `/v1/threads/shared/tokens/${id}`)).status;
    expect(await revoke(two.api, first.id)).toBe(404);
    expect(await listed(one.api)).toEqual([first.id]);
    expect(await revoke(one.api, first.id)).toBe(204);
    expect(await revoke(manager.api, second.id)).toBe(204);
    expect(await listed(manager.api)).toEqual([]);
  });

  test('and the 101st token of a key for a thread revokes its oldest, and none of another key', async () => {
    await admin.append('many', { role: 'user', content: 'x' });
    const reader = await keyWith(['context:read']);
    const others = await tokenOf('many', ['context:read'], reader.api);
    const [first, second] = [await tokenOf('many'), await tokenOf('many')];
    for (let n = 2; n < 100; n++) await tokenOf('many');
    const live = async () =>
      (await admin.call<{ data: Issued[] }>('GET', '/v1/threads/many/tokens')).body.data.map(({ id }) => id);
    expect(await live()).toHaveLength(101);
    expect(await live()).toContain(first.id);
    await tokenOf('many');
    expect(await live()).toHaveLength(101);
    expect(await live()).not.toContain(first.id);
    await untilRefused(first.api, 'many');
    expect(await statusOf(second.api, 'many')).toBe(200);
    expect(await live()).toContain(others.id);
    expect(await statusOf(others.api, 'many')).toBe(200);
  });

  test('and when other keys have the 1,000 tokens of a thread, only a key that has one gets another', async () => {
    await admin.append('full', { role: 'user', content: 'x' });
    const [own, none] = [await keyWith(['context:read']), await keyWith(['context:read'])];
    const first = await tokenOf('full', ['context:read'], own.api);
    const busy = await tokenOf('full');
    await rowsOf(
      stack.databaseUrl,
      `INSERT INTO thread_tokens (project_id, thread_uid, key_id, hash, scopes, expires_at)
        SELECT project_id, thread_uid, key_id, sha256(n::text::bytea), scopes, expires_at
        FROM thread_tokens, generate_series(1, 998) n WHERE id = '${busy.id}'`,
    );
    const refused = await issue(none.api, 'full', ['context:read']);
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_tokens' } });
    expect(await statusOf(first.api, 'full')).toBe(200);
    const second = await tokenOf('full', ['context:read'], own.api);
    await untilRefused(first.api, 'full');
    expect(await statusOf(second.api, 'full')).toBe(200);
    expect(await statusOf(busy.api, 'full')).toBe(200);
  });
});

describe('a thread token ends', () => {
  const opened = async (thread: string, by = admin) => {
    await admin.append(thread, { role: 'user', content: 'x' });
    const issued = await tokenOf(thread, ['context:read'], by);
    const other = await tokenOf(thread, ['context:read']);
    const stream = await openEvents({ url: stack.url, key: issued.token }, { thread });
    expect(stream.status).toBe(200);
    expect(await statusOf(issued.api, thread)).toBe(200);
    return { ...issued, stream, other };
  };

  test('at its time, together with its streams', async () => {
    const { id, api, stream, other } = await opened('expires');
    await rowsOf(
      stack.databaseUrl,
      `UPDATE thread_tokens SET expires_at = now() - interval '1 s' WHERE id = '${id}'`,
    );
    await stream.ended;
    await untilRefused(api, 'expires');
    expect(await statusOf(other.api, 'expires')).toBe(200);
  });

  test('when it is revoked, together with its streams', async () => {
    const { id, api, stream, other } = await opened('revoked');
    expect((await admin.call('DELETE', `/v1/threads/revoked/tokens/${id}`)).status).toBe(204);
    await stream.ended;
    await untilRefused(api, 'revoked');
    expect(await statusOf(other.api, 'revoked')).toBe(200);
  });

  test('with its key, together with its streams', async () => {
    const key = await keyWith(['context:read']);
    const { api, stream, other } = await opened('keyless', key.api);
    await admin.call('DELETE', `/v1/keys/${key.id}`);
    await stream.ended;
    await untilRefused(api, 'keyless');
    expect(await statusOf(other.api, 'keyless')).toBe(200);
  });

  test('no later than its key', async () => {
    const ends = new Date(Date.now() + 120_000).toISOString();
    const { body } = await admin.call<{ key: string }>('POST', '/v1/keys', {
      ...{ name: 'short', scopes: ['context:read'], expires_at: ends },
    });
    await admin.append('short', { role: 'user', content: 'x' });
    expect((await issue(as(body.key), 'short', ['context:read'])).body.expires_at).toBe(ends);
  });

  test('with its thread, together with its streams', async () => {
    const { api, stream } = await opened('erased');
    expect((await admin.call('DELETE', '/v1/threads/erased')).status).toBe(204);
    await stream.ended;
    await untilRefused(api, 'erased');
  });
});

test(
  'the process that revokes a thread token, or erases its thread, refuses it from then on',
  { tags: 'long' },
  async () => {
    const patient = await stack.startApi({ SPILLWAY_TIME_DIVISOR: '1' });
    const there = as(stack.key, patient.url);
    for (const end of ['/tokens', '']) {
      const thread = `at-once${end.replace('/', '-')}`;
      await admin.append(thread, { role: 'user', content: 'x' });
      const { id, token } = await tokenOf(thread);
      expect(await statusOf(as(token, patient.url), thread)).toBe(200);
      const path = `/v1/threads/${thread}${end}${end && `/${id}`}`;
      expect((await there.call('DELETE', path)).status).toBe(204);
      expect(await statusOf(as(token, patient.url), thread)).toBe(401);
    }
    await patient.stop();
  },
);

test('thread tokens are valid in every process, and so are their ends', { tags: 'long' }, async () => {
  await admin.append('everywhere', { role: 'user', content: 'x' });
  const { id, token } = await tokenOf('everywhere');
  const second = await stack.startApi();
  expect(await statusOf(as(token, second.url), 'everywhere')).toBe(200);
  await second.stop();
  const after = await stack.restart(second);
  const there = as(token, after.url);
  expect(await statusOf(there, 'everywhere')).toBe(200);
  expect((await admin.call('DELETE', `/v1/threads/everywhere/tokens/${id}`)).status).toBe(204);
  await untilRefused(there, 'everywhere');
  await after.stop();
});

test('the audit log says who issued a thread token, what it did and who revoked it', async () => {
  await admin.append('logged', { role: 'user', content: 'x' });
  const key = await keyWith(['threads:manage']);
  const { id, api } = await tokenOf('logged', ['threads:manage'], key.api);
  expect((await api.call('PATCH', '/v1/threads/logged', { policy: { context: { trigger_ratio: 0.6 } } })).status).toBe(200); // prettier-ignore
  await key.api.call('DELETE', `/v1/threads/logged/tokens/${id}`);
  await key.api.call('DELETE', `/v1/threads/logged/tokens/${id}`);
  const entries = async (actor: string) => {
    const { body } = await admin.call<{ data: Record<string, unknown>[] }>('GET', `/v1/audit?actor=${actor}`);
    return body.data.map(({ action, actor: by, actor_name: name, thread_id: thread }) => ({
      ...{ action, by, name, thread },
    }));
  };
  const [byKey, byToken] = [`key:${key.id}`, `token:${id}`];
  const done = { action: 'thread.policy_changed', by: byToken, name: 'agents', thread: 'logged' };
  // The entries of a key include those of its tokens.
  expect(await entries(byKey)).toEqual([
    { action: 'token.revoked', by: byKey, name: 'agents', thread: 'logged' },
    done,
    { action: 'token.created', by: byKey, name: 'agents', thread: 'logged' },
  ]);
  expect(await entries(byToken)).toEqual([done]);
});
