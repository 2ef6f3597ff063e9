import type { Schemas } from '@spillway/client';
import { migrate } from '@spillway/store';
import { apiOf, openEvents, rowsOf, until, type Api } from '@spillway/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startWebhookRig, type WebhookRig } from './webhook-rig.js';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await startWebhookRig();
});
afterEach(() => rig.clear());
afterAll(() => rig?.stack.stop());

const get = async (id: string) => (await rig.api.call<Schemas['Webhook']>('GET', `/v1/webhooks/${id}`)).body;
const deliveries = async (id: string) =>
  (await rig.api.call<Schemas['WebhookDeliveryList']>('GET', `/v1/webhooks/${id}/deliveries`)).body.data;

describe('a webhook', () => {
  test('is sent the events it asks for, signed so that the library of receivers takes them', async () => {
    const { receiver, id } = await rig.hooked(['message.recorded', 'thread.erased']);
    await rig.api.createThread({ id: 'told' });
    await rig.say('told');
    await rig.api.call('DELETE', '/v1/threads/told');
    await rig.got(receiver, 2);
    await sleep(600);
    expect(receiver.received.map(({ type }) => type).sort()).toEqual(['message.recorded', 'thread.erased']);
    expect(receiver.received.find(({ type }) => type === 'message.recorded')!.data).toMatchObject({
      thread_id: 'told',
      from_seq: 1,
      to_seq: 1,
    });
    expect(receiver.forged).toBe(0);
    const [newest] = await until('both are written down', async () => {
      const list = await deliveries(id);
      return list.every(({ state }) => state === 'delivered') && list;
    });
    expect(newest).toMatchObject({ type: 'thread.erased', attempts: 1, last_status: 200, last_error: null });
    expect(newest!.last_response).toBe('said the receiver');
  });

  test('shows its secret once, and is changed, disabled and removed', async () => {
    const { receiver, id } = await rig.hooked();
    const list = await rig.api.call('GET', '/v1/webhooks');
    expect(JSON.stringify(list.body)).not.toContain(receiver.secret);
    expect(receiver.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await rig.api.call('PATCH', `/v1/webhooks/${id}`, { description: 'for tests', enabled: false });
    expect(await get(id)).toMatchObject({
      description: 'for tests',
      enabled: false,
      disabled_reason: 'by_hand',
    });
    await rig.say('while-disabled');
    expect((await rig.api.call('POST', `/v1/webhooks/${id}/test`)).status).toBe(409);
    await rig.api.call('PATCH', `/v1/webhooks/${id}`, { enabled: true });
    await rig.say('enabled');
    await rig.got(receiver, 1);
    await sleep(600);
    expect(receiver.received.map(({ data }) => data.thread_id)).toEqual(['enabled']);
    const log = await rig.api.call<Schemas['AuditList']>('GET', '/v1/audit?limit=10');
    const actions = log.body.data.map((entry) => entry.action);
    expect(actions).toEqual(
      expect.arrayContaining(['webhook.created', 'webhook.disabled', 'webhook.enabled']),
    );
    expect(JSON.stringify(log.body)).not.toContain(receiver.secret);
  });

  test('enabled again, is not sent what was written before and held back by a longer transaction', async () => {
    const { receiver, id } = await rig.hooked();
    const longer = new pg.Client(rig.stack.databaseUrl);
    await longer.connect();
    await longer.query('BEGIN');
    await longer.query('SELECT pg_current_xact_id()');
    await rig.api.call('PATCH', `/v1/webhooks/${id}`, { enabled: false });
    await rig.say('held-back');
    await rig.api.call('PATCH', `/v1/webhooks/${id}`, { enabled: true });
    await rig.say('enabled-since');
    await longer.query('COMMIT');
    await longer.end();
    await rig.got(receiver, 1);
    await sleep(600);
    expect(receiver.received.map(({ data }) => data.thread_id)).toEqual(['enabled-since']);
  });

  test('goes on after the database was restored into another cluster, and so does a stream', async () => {
    const { receiver } = await rig.hooked(['message.recorded']);
    const stream = await openEvents(rig.stack, { thread: 'before-the-dump' });
    await rig.say('before-the-dump');
    await rig.got(receiver, 1);
    await until('the stream has it', () => Promise.resolve(stream.events.length > 0));
    stream.close();
    // A dump of a cluster that had counted a thousand million transactions more.
    const ahead = 1_000_000_000;
    await rowsOf(rig.stack.databaseUrl, `UPDATE events SET xid = xid + ${ahead}`);
    await rowsOf(rig.stack.databaseUrl, `UPDATE webhooks SET after_xid = after_xid + ${ahead}`);
    await rowsOf(rig.stack.databaseUrl, `UPDATE event_epochs SET system_identifier = 'another cluster'`);
    await migrate(rig.stack.databaseUrl);
    const [xid, id] = stream.lastId().split('-');
    const lastEventId = `${Number(xid) + ahead}-${id}`;
    const resumed = await openEvents(rig.stack, { thread: 'before-the-dump', lastEventId });
    await rig.say('before-the-dump');
    await rig.got(receiver, 2);
    await until('the stream goes on', () => Promise.resolve(resumed.events.length > 0));
    resumed.close();
    expect(receiver.received.map(({ data }) => data.to_seq)).toEqual([1, 2]);
    expect(resumed.events.map(({ data }) => data.to_seq)).toEqual([2]);
  });

  test('is sent a test when somebody asks', async () => {
    const { receiver, id } = await rig.hooked(['thread.erased']);
    expect((await rig.api.call('POST', `/v1/webhooks/${id}/test`)).status).toBe(202);
    await rig.got(receiver, 1);
    expect(receiver.received[0]!.type).toBe('webhook.test');
  });
});

describe('a delivery', () => {
  test('is tried again after a failure, with the same id, and later each time', async () => {
    const { receiver, id } = await rig.hooked();
    receiver.answer = () => (receiver.received.length < 3 ? 500 : 204);
    await rig.say('retried');
    await rig.got(receiver, 2);
    const wait = receiver.received[1]!.at - receiver.received[0]!.at;
    expect(wait).toBeGreaterThan(4_900);
    // An attempt counts from its claim: until it is reported, error and time are those of the first.
    const pending = await until('the second failure is reported', async () => {
      const [one] = await deliveries(id);
      return one!.attempts === 2 && Date.parse(one!.next_attempt_at!) > Date.now() && one;
    });
    expect(pending).toMatchObject({ state: 'pending', last_status: 500, last_error: 'answered 500' });
    expect(Date.parse(pending.next_attempt_at!) - Date.now()).toBeGreaterThan(20_000);
    expect((await get(id)).failing_since).not.toBeNull();
    await rig.hurry();
    await rig.got(receiver, 3);
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    await until('it is delivered', async () => (await deliveries(id))[0]!.state === 'delivered');
    expect((await get(id)).failing_since).toBeNull();
  });

  test('can be sent again by hand', async () => {
    const { receiver, id } = await rig.hooked();
    await rig.say('again');
    await rig.got(receiver, 1);
    const [one] = await until('it is delivered', async () => {
      const list = await deliveries(id);
      return list[0]?.state === 'delivered' && list;
    });
    const path = `/v1/webhooks/${id}/deliveries`;
    expect((await rig.api.call('POST', `${path}/${one!.id}/redeliver`)).status).toBe(202);
    await rig.got(receiver, 2);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    expect((await rig.api.call('POST', `${path}/${randomUUID()}/redeliver`)).status).toBe(404);
  });

  test('follows no redirect', async () => {
    const { receiver, id } = await rig.hooked();
    const elsewhere = await rig.receiver();
    receiver.answer = () => ({ status: 307, location: elsewhere.url });
    await rig.say('redirected');
    await until('it failed', async () => (await deliveries(id))[0]?.last_status === 307);
    await sleep(300);
    expect(elsewhere.received.length + elsewhere.forged).toBe(0);
  });

  test('is made again by another worker when its own is killed half way', { tags: 'long' }, async () => {
    const { receiver, id } = await rig.hooked();
    receiver.answer = () => (receiver.received.length === 1 ? 'hang' : 200);
    await rig.say('killed');
    await rig.got(receiver, 1);
    const dead = rig.stack.workers[0]!;
    await dead.kill();
    await rig.stack.restart(dead);
    await rig.got(receiver, 2, 60_000);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    await until('it is delivered', async () => (await deliveries(id))[0]!.state === 'delivered');
    expect(await deliveries(id)).toHaveLength(1);
  });

  test('is given back when its worker is stopped, and no attempt is used up', { tags: 'long' }, async () => {
    const { receiver, id } = await rig.hooked();
    receiver.answer = () => (receiver.received.length === 1 ? 'hang' : 200);
    await rig.say('stopped');
    await rig.got(receiver, 1);
    const stopped = rig.stack.workers[0]!;
    expect(await stopped.stop()).toBe(0);
    await rig.stack.restart(stopped);
    await rig.got(receiver, 2);
    await until('it is delivered', async () => (await deliveries(id))[0]!.state === 'delivered');
    expect((await deliveries(id))[0]!.attempts).toBe(1);
  });
});

describe('a receiver', () => {
  test('that says it is gone is sent nothing more', async () => {
    const { receiver, id } = await rig.hooked();
    receiver.answer = () => 410;
    await rig.say('gone');
    const webhook = await until('it is disabled', async () => {
      const row = await get(id);
      return !row.enabled && row;
    });
    expect(webhook.disabled_reason).toBe('gone');
    await rig.say('gone');
    await sleep(800);
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', last_status: 410 });
  });

  test('that takes nothing for days is disabled, with the reason', async () => {
    const { receiver, id } = await rig.hooked();
    receiver.answer = () => 503;
    await rig.say('failing');
    await until('it fails', async () => (await get(id)).failing_since !== null);
    await rowsOf(
      rig.stack.databaseUrl,
      `UPDATE webhooks SET failing_since = now() - interval '6 days' WHERE id = $1`,
      [id],
    );
    await rig.hurry();
    await until('it is disabled', async () => (await get(id)).disabled_reason === 'failing');
  });

  test('that does not answer holds up no other', { tags: 'long' }, async () => {
    const dead = await rig.hooked();
    dead.receiver.answer = () => 'hang';
    const well = await rig.hooked();
    await rig.say('both');
    await rig.got(dead.receiver, 1);
    await rig.got(well.receiver, 1);
    for (let n = 0; n < 5; n++) await rig.say('both');
    await rig.got(well.receiver, 6);
    expect((await deliveries(dead.id)).filter(({ last_error }) => last_error !== null)).toEqual([]);
    const timedOut = await until('it is given up on', async () =>
      (await deliveries(dead.id)).find(({ last_error }) => last_error !== null),
    );
    expect(timedOut.last_error).toBe('timeout');
    expect(timedOut.last_ms).toBeGreaterThanOrEqual(9_900);
  });

  test(
    'that does not answer, on 160 webhooks at once, leaves places to those that do',
    { tags: 'long' },
    async () => {
      onTestFinished(async () => void (await rowsOf(rig.stack.databaseUrl, 'DELETE FROM webhooks')));
      const dead = await rig.receiver();
      dead.answer = () => 'hang';
      const projects: Api[] = [];
      for (let n = 0; n < 8; n++) {
        const theirs = apiOf({ url: rig.stack.url, key: await rig.stack.addProject(`dead-${n}`) });
        for (let i = 0; i < 20; i++) await theirs.call('POST', '/v1/webhooks', { url: dead.url, types: [] });
        projects.push(theirs);
      }
      // Ten batches for each of them: one that would not give its place up keeps it for 100 s.
      for (let i = 0; i < 40; i++)
        for (const theirs of projects) await theirs.append('talk', { role: 'user', content: 'hello' });
      await until('most of them failed', async () => {
        const failing = 'SELECT count(*)::int AS n FROM webhooks WHERE failing_since IS NOT NULL';
        return (await rowsOf<{ n: number }>(rig.stack.databaseUrl, failing))[0]!.n >= 100;
      });
      const well = await rig.hooked();
      await rig.say('served');
      await rig.got(well.receiver, 1);
      expect(well.receiver.received).toHaveLength(1);
    },
  );
});

describe('no event is sent into a private network', () => {
  test.each([
    'http://10.0.0.1/x',
    'http://localhost/x',
    'http://[::1]/x',
    'http://169.254.169.254/latest/meta-data',
    'http://0x7f.0.0.2/x',
    'http://2130706434/x',
    'ftp://example.com/x',
    'file:///etc/passwd',
    'https://user:password@example.com/x',
    'https://example.com/x#y',
    'nonsense',
  ])('%s is refused', async (url) => {
    const answer = await rig.api.call<{ code: string }>('POST', '/v1/webhooks', { url });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'webhook_url_refused', errors: [{ path: '/url' }] },
    });
  });

  test('A95 also when a name leads there later: it is looked at as the connection is made', async () => {
    const { receiver, id } = await rig.hooked();
    // As after a change of DNS: what was public when it was asked for leads to this machine by now.
    const { port } = new URL((await get(id)).url);
    await rowsOf(rig.stack.databaseUrl, 'UPDATE webhooks SET url = $2 WHERE id = $1', [
      id,
      `http://localhost:${port}/hook`,
    ]);
    await rig.say('rebound');
    const failed = await until('it failed', async () =>
      (await deliveries(id)).find((one) => one.last_error !== null),
    );
    expect(failed).toMatchObject({ last_error: 'private_address', last_status: null });
    expect(receiver.received).toEqual([]);
  });
});

test('a project has a bounded number of webhooks', async () => {
  const url = 'http://allowed.example/x';
  for (let n = 0; n < 20; n++) expect((await rig.api.call('POST', '/v1/webhooks', { url })).status).toBe(201);
  const answer = await rig.api.call<{ code: string }>('POST', '/v1/webhooks', { url });
  expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_webhooks' } });
});
