import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/run-program.js';
import { operatorHeader, operatorPassword } from '../operations/scrape.js';

type Created = Schemas['ProjectCreated'];
type Listed = Schemas['ProjectList'];
type Problem = Schemas['Problem'];

let stack: Stack;
/** Sends the operator's password in place of a key. */
let operator: Pick<Api, 'call'>;
beforeAll(async () => {
  stack = await startStack({ workers: 0, env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword } });
  const { call } = apiOf(stack);
  operator = {
    call: (method, path, body, headers) =>
      call(method, path, body, { ...operatorHeader(operatorPassword), ...headers }),
  };
});
afterAll(() => stack?.stop());

const create = (name: string) => operator.call<Created>('POST', '/v1/projects', { name });
const withKey = (key: string): Api => apiOf({ url: stack.url, key });

test('a project is made with an admin key, which works at once and sees nothing of another project', async () => {
  await apiOf(stack).append('theirs', { role: 'user', content: 'of the first project' });
  const { status, body } = await create('support desk');
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'support desk', admin_keys: 1 });
  expect(body.key).toMatch(/^sw_/);
  const admin = withKey(body.key);
  expect((await admin.call<{ data: unknown[] }>('GET', '/v1/threads')).body.data).toEqual([]);
  expect((await admin.call('GET', '/v1/threads/theirs')).status).toBe(404);
  await admin.append('ours', { role: 'user', content: 'of the second project' });
  expect((await admin.context('ours')).messages).toHaveLength(1);
  expect((await admin.call('POST', '/v1/keys', { name: 'agent', scopes: ['context:read'] })).status).toBe(
    201,
  );
});

test('the list has every project by name, in one page or several, and no key', async () => {
  for (const name of ['zebra', 'apple']) expect((await create(name)).status).toBe(201);
  const whole = await operator.call<Listed>('GET', '/v1/projects');
  const names = whole.body.data.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(['apple', 'default', 'zebra']));
  expect(JSON.stringify(whole.body)).not.toContain('sw_');
  const unknown = await operator.call<Problem>('GET', '/v1/projects?surprise=1');
  expect(unknown.status).toBe(422);
  expect(unknown.body.errors).toContainEqual({ path: '/surprise', message: 'is not a known field' });
  const first = await operator.call<Listed>('GET', '/v1/projects?limit=1');
  const rest = await operator.call<Listed>('GET', `/v1/projects?cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...rest.body.data]).toEqual(whole.body.data);
});

test('a name that is taken or no name is refused, and makes neither a project nor a key', async () => {
  expect((await create('taken')).status).toBe(201);
  const counts = () =>
    rowsOf(
      stack.databaseUrl,
      'SELECT (SELECT count(*) FROM projects) AS p, (SELECT count(*) FROM api_keys) AS k',
    );
  const before = await counts();
  expect(await create('taken')).toMatchObject({ status: 409, body: { code: 'project_exists' } });
  for (const name of ['', ' ', ' x', 'x'.repeat(101), 'a\0b'])
    expect(await create(name)).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  expect(await counts()).toEqual(before);
});

test('of several that make one name at once, one does', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => create('at once')));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
});

test('a project whose admin keys are lost gets another one, and the audit log says who made it', async () => {
  const { body: project } = await create('lost');
  await rowsOf(stack.databaseUrl, 'UPDATE api_keys SET revoked_at = now() WHERE project_id = $1', [
    project.id,
  ]);
  const listed = await operator.call<Listed>('GET', '/v1/projects');
  expect(listed.body.data.find(({ id }) => id === project.id)).toMatchObject({ admin_keys: 0 });
  const path = `/v1/projects/${project.id}/keys`;
  const { status, body } = await operator.call<{ key: string }>('POST', path, { name: 'again' });
  expect(status).toBe(201);
  const audit = await withKey(body.key).call<{ data: { action: string; actor: string }[] }>(
    'GET',
    '/v1/audit?action=key.created',
  );
  expect(audit.body.data.map(({ actor }) => actor)).toEqual(['operator', 'operator']);
  const unknown = `/v1/projects/00000000-0000-4000-8000-000000000000/keys`;
  expect(await operator.call('POST', unknown, { name: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'project_not_found' },
  });
});

test('A13 a suspended project is refused at once with all its keys, sessions and tokens, and loses nothing', async () => {
  const { body: project } = await create('suspended');
  const { body: neighbour } = await create('its neighbour');
  const admin = withKey(project.key);
  await admin.append('kept', { role: 'user', content: 'from before' });
  const { body: session } = await admin.call<{ token: string }>('POST', '/v1/sessions');
  const { body: token } = await admin.call<{ token: string }>('POST', '/v1/threads/kept/tokens', {
    scopes: ['context:read'],
  });
  const credentials = [project.key, session.token, token.token];
  const statuses = () =>
    Promise.all(
      credentials.map(async (key) => (await withKey(key).call('GET', '/v1/threads/kept/context')).status),
    );
  const change = (what: string, id = project.id) =>
    operator.call<Schemas['Project'] & Problem>('POST', `/v1/projects/${id}/${what}`);
  expect(await statuses()).toEqual([200, 200, 200]);
  const events = await fetch(`${stack.url}/v1/events`, {
    headers: { authorization: `Bearer ${project.key}`, accept: 'text/event-stream' },
  });
  expect(events.status).toBe(200);

  const { status, body: suspended } = await change('suspend');
  expect(status).toBe(200);
  expect(suspended).toMatchObject({ id: project.id, admin_keys: 1, erased_at: null });
  expect(Date.parse(suspended.suspended_at!)).toBeGreaterThan(0);
  expect(await statuses()).toEqual([403, 403, 403]);
  // The stream that was open ends.
  await events.text();
  // Its address is not one that guesses keys, and a repeat keeps the time.
  for (let i = 0; i < 120; i++) await admin.call('GET', '/v1/threads');
  const refused = await admin.call<Problem>('POST', '/v1/threads/kept/messages', {
    messages: [{ role: 'user', content: 'refused' }],
  });
  expect(refused).toMatchObject({ status: 403, body: { code: 'project_suspended' } });
  const { stdout } = await runCommand({ url: stack.url, key: project.key }, ['doctor']);
  expect(stdout).toContain('PROBLEM  key: The operator of the service has suspended the project of the key.');
  expect((await change('suspend')).body.suspended_at).toBe(suspended.suspended_at);
  const listed = await operator.call<Listed>('GET', '/v1/projects');
  const suspendedOnes = listed.body.data.filter(({ suspended_at: at }) => at !== null);
  expect(suspendedOnes.map(({ id }) => id)).toEqual([project.id]);
  await withKey(neighbour.key).append('other', { role: 'user', content: 'goes on' });

  expect((await change('resume')).body.suspended_at).toBeNull();
  expect((await change('resume')).status).toBe(200);
  expect(await statuses()).toEqual([200, 200, 200]);
  expect((await admin.context('kept')).messages).toEqual([{ role: 'user', content: 'from before' }]);
  const audit = await admin.call<{ data: { action: string; actor: string }[] }>('GET', '/v1/audit');
  const changes = audit.body.data.filter(({ action }) => action.startsWith('project.'));
  expect(changes.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    'project.resumed operator',
    'project.suspended operator',
    'project.created operator',
  ]);
  expect(await change('suspend', '00000000-0000-4000-8000-000000000000')).toMatchObject({
    status: 404,
    body: { code: 'project_not_found' },
  });
});

test('A111 no key opens it, not even an admin key, and a refusal says what does', async () => {
  const guarded = (await create('guarded')).body.id;
  const requests: [string, string, object?][] = [
    ['GET', '/v1/projects'],
    ['POST', '/v1/projects', { name: 'stolen' }],
    ['POST', `/v1/projects/${guarded}/keys`, { name: 'stolen' }],
    ['DELETE', `/v1/projects/${guarded}?name=guarded`],
    ['POST', `/v1/projects/${guarded}/suspend`],
    ['POST', `/v1/projects/${guarded}/resume`],
    ['POST', `/v1/projects/${guarded}/compaction/pause`],
    ['POST', `/v1/projects/${guarded}/compaction/resume`],
    ['GET', '/v1/projects/usage'],
    ['GET', '/v1/server/compaction'],
    ['POST', '/v1/server/compaction/pause'],
    ['POST', '/v1/server/compaction/resume'],
  ];
  const wrong = { authorization: `Basic ${Buffer.from(`x:${operatorPassword}x`).toString('base64')}` };
  for (const [method, path, body] of requests) {
    for (const headers of [{}, wrong]) {
      const refused = await apiOf(stack).call<Problem>(method, path, body, headers);
      expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(refused.body.detail).toContain('SPILLWAY_OPERATOR_PASSWORD');
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    }
  }
  const names = await rowsOf<{ name: string }>(
    stack.databaseUrl,
    `SELECT name FROM projects WHERE name IN ('stolen', 'guarded')`,
  );
  expect(names).toEqual([{ name: 'guarded' }]);
  // And the password opens nothing of a project.
  expect((await operator.call('GET', '/v1/threads')).status).toBe(401);
});

test('a service without the password says so', async () => {
  const api = await stack.startApi({ SPILLWAY_OPERATOR_PASSWORD: '' });
  const refused = await apiOf({ url: api.url, key: stack.key }).call<Problem>(
    'GET',
    '/v1/projects',
    undefined,
    {
      ...operatorHeader(operatorPassword),
    },
  );
  expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(refused.body.detail).toContain('no operator password');
});
