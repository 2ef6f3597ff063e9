// @module-tag long
import type { Schemas } from '@spillway/client';
import { policyInput } from '@spillway/contracts';
import {
  openRuntime,
  readEnv,
  rotateSecret,
  sealStoredSecrets,
  webhookSender,
  type Runtime,
} from '@spillway/service';
import { asProject } from '@spillway/store';
import { apiOf, rowsOf, until } from '@spillway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookRig, type WebhookRig } from './webhook-rig.js';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await startWebhookRig();
});
afterEach(() => rig.clear());
afterAll(() => rig?.stack.stop());

describe('a webhook', () => {
  test('A107 its secret is stored encrypted, and one that was stored as plain text is encrypted at the next start', async () => {
    const { receiver, id } = await rig.hooked();
    const stored = async () =>
      (
        await rowsOf<{ secret: string }>(rig.stack.databaseUrl, 'SELECT secret FROM webhooks WHERE id = $1', [
          id,
        ])
      )[0]!.secret;
    expect(await stored()).toMatch(/^enc:1:/);
    await rowsOf(rig.stack.databaseUrl, 'UPDATE webhooks SET secret = $1 WHERE id = $2', [
      receiver.secret,
      id,
    ]);
    const again = await rig.stack.startApi();
    expect(await stored()).toMatch(/^enc:1:/);
    await again.stop();
    await rig.say('encrypted');
    await rig.got(receiver, 1);
    expect(receiver.forged).toBe(0);
  });

  test('A107 a new secret and the one before sign side by side, until the overlap is over', async () => {
    const { receiver, id } = await rig.hooked();
    const before = receiver.secret;
    const rotate = (overlap?: number) =>
      rig.api.call<Schemas['WebhookRotated']>('POST', `/v1/webhooks/${id}/rotate-secret`, {
        ...(overlap === undefined ? {} : { overlap_ms: overlap }),
      });
    const shownUntil = async () =>
      (await rig.api.call<Schemas['Webhook']>('GET', `/v1/webhooks/${id}`)).body.previous_secret_until;
    expect(await shownUntil()).toBeNull();
    const rotated = await rotate();
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(before);
    expect(Date.parse(rotated.body.previous_secret_until)).toBeGreaterThan(Date.now() + 86_000_000);
    expect(await shownUntil()).toBe(rotated.body.previous_secret_until);
    await rig.say('rotated');
    await rig.got(receiver, 1);
    receiver.secret = rotated.body.secret;
    await rig.say('rotated');
    await rig.got(receiver, 2);
    expect(receiver.forged).toBe(0);
    const last = await rotate(0);
    expect(await shownUntil()).toBeNull();
    expect(
      (await rig.api.call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_ms: 1e12 })).status,
    ).toBe(422);
    await rig.say('rotated');
    await until('the old secret does not sign any more', () => Promise.resolve(receiver.forged > 0));
    receiver.secret = last.body.secret;
    await rig.hurry();
    await rig.got(receiver, 3);
    const { body: log } = await rig.api.call<{ data: { target: string }[] }>(
      'GET',
      '/v1/audit?action=webhook.secret_rotated',
    );
    expect(log.data.filter(({ target }) => target === id)).toHaveLength(2);
  });

  test('after the key of the server was lost, a webhook with a new secret delivers, also after the next change of the key', async () => {
    const { receiver, id } = await rig.hooked();
    const { databaseUrl, workers } = rig.stack;
    await workers[0]!.stop();
    type Stored = { projectId: string; secret: string; previous: string | null };
    const stored = async () =>
      (
        await rowsOf<Stored>(
          databaseUrl,
          'SELECT project_id AS "projectId", secret, previous_secret AS previous FROM webhooks WHERE id = $1',
          [id],
        )
      )[0]!;
    const { projectId, secret: unreadable } = await stored();
    /** What `work` does in a process with these keys. */
    async function withKeys<Result>(keys: string, work: (rt: Runtime) => Promise<Result>): Promise<Result> {
      const env = {
        DATABASE_URL: databaseUrl,
        SPILLWAY_SECRET_KEY: keys,
        SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1',
        LOG_LEVEL: 'silent',
      };
      const rt = openRuntime(readEnv(env, policyInput), 'worker');
      try {
        return await work(rt);
      } finally {
        await rt.close();
      }
    }
    let deliveries = 0;
    const delivers = (keys: string) =>
      withKeys(keys, async (rt) => {
        await rig.say('key-lost');
        const sender = webhookSender(rt);
        await sender.look();
        await sender.idle();
        expect(receiver.received).toHaveLength(++deliveries);
      });
    const [second, third] = ['second-secret-of-the-test-0123456789', 'third-secret-of-the-test-0123456789'];

    const caller = { projectId, keyId: '', sessionId: null, token: null, scopes: [], hasChatBudget: false };
    const rotated = await withKeys(second, (rt) =>
      asProject(projectId, 'test', () => rotateSecret(rt, caller, id, 86_400_000)),
    );
    receiver.secret = rotated.secret;
    expect((await stored()).previous).toBeNull();
    expect(rotated.row.previousSecretUntil!.getTime()).toBeLessThanOrEqual(Date.now());
    await delivers(second);

    // What versions before left behind.
    const keep = (until: string) =>
      rowsOf(
        databaseUrl,
        `UPDATE webhooks SET previous_secret = $1, previous_secret_until = now() + $2::interval WHERE id = $3`,
        [unreadable, until, id],
      );
    await keep('1 day');
    await delivers(second);
    await withKeys(`${third},${second}`, sealStoredSecrets);
    expect((await stored()).previous).toBe(unreadable);
    await delivers(third);
    await keep('-1 day');
    await withKeys(`${second},${third}`, sealStoredSecrets);
    expect((await stored()).previous).toBeNull();
    await delivers(second);
    expect(receiver.forged).toBe(0);
    await rig.stack.restart(workers[0]!);
  });

  test('A107 a server without a key for secrets stores none, and says which setting is missing', async () => {
    const keyless = await rig.stack.startApi({ SPILLWAY_SECRET_KEY: '' });
    const refused = await apiOf({ url: keyless.url, key: rig.stack.key }).call<{
      code: string;
      detail: string;
    }>('POST', '/v1/webhooks', { url: 'https://example.com/hook' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'secrets_not_configured' } });
    expect(refused.body.detail).toContain('SPILLWAY_SECRET_KEY');
    await keyless.stop();
  });

  test('A108 its URL is https unless the operator allows the host, and stands in the audit log without user and query', async () => {
    const refused = await rig.api.call<{ errors: { message: string }[] }>('POST', '/v1/webhooks', {
      url: 'http://example.com/hook',
    });
    expect(refused).toMatchObject({ status: 422, body: { code: 'webhook_url_refused' } });
    expect(refused.body.errors[0]!.message).toContain('https');
    const made = await rig.api.call<{ id: string }>('POST', '/v1/webhooks', {
      url: 'https://example.com/hook?token=planted-token',
    });
    await rig.api.call('PATCH', `/v1/webhooks/${made.body.id}`, {
      url: 'https://example.com/other?token=planted-token',
    });
    const { body } = await rig.api.call<{ data: { detail: unknown }[] }>(
      'GET',
      `/v1/audit?target=${made.body.id}`,
    );
    expect(body.data.map(({ detail }) => detail)).toEqual([
      { url: 'https://example.com/other' },
      { url: 'https://example.com/hook' },
    ]);
  });
});
