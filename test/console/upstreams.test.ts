// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectWellMade, startConsoleRig, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  rig = await startConsoleRig({
    workers: 0,
    redis: false,
    env: {
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
      SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:password@127.0.0.1:9/traces',
    },
  });
  api = apiOf(rig.stack);
});
afterAll(() => rig?.stop());

beforeEach(async () => {
  ({ page, complaints } = await rig.open());
  await rig.signIn(page);
});
afterEach(() => rig.close(page));

const upstreams = async () =>
  (await api.call<Schemas['UpstreamList']>('GET', '/v1/upstreams')).body.data.map(
    ({ provider, base_url, has_key, models }) => ({ provider, base_url, has_key, models }),
  );

test('an upstream is added, changed without its key, which is never shown, and removed after asking', async () => {
  await rig.visit(page, '/settings/upstreams');
  const row = page.getByRole('row').filter({ hasText: 'OpenAI' });
  await row.getByText('the server’s provider').waitFor();
  await expectWellMade(page, /the server’s provider/, complaints);

  await page.getByRole('button', { name: 'Add the upstream for OpenAI' }).click();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await page.getByLabel('Base URL').fill('http://10.1.2.3/v1');
  await page.getByRole('textbox', { name: 'Key' }).fill('sk-of-the-project');
  await save.click();
  await page.getByRole('alert').filter({ hasText: 'SPILLWAY_UPSTREAM_HOSTS' }).waitFor();
  await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
  await page.getByLabel('Models').fill('gpt-4o\ngpt-4o-mini');
  await save.click();
  await row.getByText('http://127.0.0.1:9/v1').waitFor();
  await row.getByText('stored').waitFor();
  const added = {
    provider: 'openai' as const,
    base_url: 'http://127.0.0.1:9/v1',
    has_key: true,
    models: ['gpt-4o', 'gpt-4o-mini'],
  };
  expect(await upstreams()).toEqual([added]);
  expect(await page.content()).not.toContain('sk-of-the-project');

  await page.getByRole('button', { name: 'Change the upstream for OpenAI' }).click();
  expect(await page.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('');
  // The browser itself notes the refusal of the first address.
  expect(complaints.splice(0).filter((text) => !text.includes('422'))).toEqual([]);
  await expectWellMade(page, /the stored key stays/, complaints);
  await page.getByLabel('Models').fill('');
  await save.click();
  await row.getByText('all', { exact: true }).waitFor();
  expect(await upstreams()).toEqual([{ ...added, models: [] }]);

  await page.getByRole('button', { name: 'Remove the upstream for OpenAI' }).click();
  await page.getByText('at the operator’s expense').waitFor();
  await page.getByRole('button', { name: 'Remove upstream' }).click();
  await row.getByText('the server’s provider').waitFor();
  expect(await upstreams()).toEqual([]);
  expect(complaints).toEqual([]);
});

test("Google's API is an upstream as the others are: its address, its key, its models, and where its calls go", async () => {
  await rig.visit(page, '/settings/upstreams');
  const row = page.getByRole('row').filter({ hasText: 'Google' });
  await row.getByText('the server’s provider').waitFor();
  await page.getByRole('button', { name: 'Add the upstream for Google' }).click();
  const address = page.getByLabel('Base URL');
  expect(await address.inputValue()).toBe('https://generativelanguage.googleapis.com/v1beta');
  // As Google's SDK takes it: without a version.
  await address.fill('http://127.0.0.1:9');
  await page.getByRole('textbox', { name: 'Key' }).fill('AIza-of-the-project');
  await page.getByLabel('Models').fill('gemini-2.5-pro\ngemini-2.5-flash');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await row.getByText('gemini-2.5-pro, gemini-2.5-flash').waitFor();
  await row.getByText('stored').waitFor();
  const added = {
    base_url: 'http://127.0.0.1:9/v1beta',
    has_key: true,
    models: ['gemini-2.5-pro', 'gemini-2.5-flash'],
  };
  expect(await upstreams()).toEqual([{ provider: 'google', ...added }]);
  expect(await page.content()).not.toContain('AIza-of-the-project');
  await expectWellMade(page, /gemini-2.5-flash/, complaints);
  await rig.visit(page, '/settings/system');
  await page.getByText('the proxy are sent to this project’s upstream, http://127.0.0.1:9/v1beta.').waitFor();

  await rig.visit(page, '/settings/upstreams');
  await page.getByRole('button', { name: 'Remove the upstream for Google' }).click();
  await page.getByRole('button', { name: 'Remove upstream' }).click();
  await row.getByText('the server’s provider').waitFor();
  expect(await upstreams()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the system page names what leaves the host: upstreams, calls with keys of callers, webhooks and traces', async () => {
  await api.call('PUT', '/v1/upstreams/openai', { base_url: 'http://127.0.0.1:9/v1', models: [] });
  await api.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
  await rig.visit(page, '/settings/system');
  await page.getByText('this project’s upstream, http://127.0.0.1:9/v1.').waitFor();
  await page.getByText('https://api.anthropic.com/v1 when a caller of the proxy brings a key').waitFor();
  await page.getByText('Events are sent to 1 webhook: 127.0.0.1:9.').waitFor();
  await page.getByText('the collector of the operator, http://127.0.0.1:9/traces.').waitFor();
  expect(await page.content()).not.toMatch(/user:password|Only calls to the configured models/);
  await expectWellMade(page, /What leaves this host/, complaints);
  await api.call('DELETE', '/v1/upstreams/openai');
});

test('where data goes is set in an old session only when its key is shown again', async () => {
  const age = () =>
    rowsOf(rig.stack.databaseUrl, `UPDATE sessions SET proved_at = proved_at - interval '6 minutes'`);
  /** Asked for the key of the session, a form does what it was asked to once it has it. */
  const showKey = async (button: string, done: RegExp) => {
    const submit = page.getByRole('dialog').getByRole('button', { name: button, exact: true });
    await age();
    await submit.click();
    await page.getByText('Your sign-in is too old').waitFor();
    await expect.poll(() => submit.isDisabled()).toBe(true);
    // The browser itself notes the refusal.
    expect(complaints.splice(0).filter((text) => !text.includes('403'))).toEqual([]);
    await expectWellMade(page, done, complaints);
    await page.getByLabel('Your API key').fill(rig.stack.key);
    await submit.click();
  };
  await rig.visit(page, '/settings/upstreams');
  await page.getByRole('button', { name: 'Add the upstream for OpenAI' }).click();
  await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
  await showKey('Save', /As the provider’s SDK takes it/);
  await page.getByRole('row').filter({ hasText: 'http://127.0.0.1:9/v1' }).waitFor();
  expect((await upstreams()).map(({ base_url }) => base_url)).toEqual(['http://127.0.0.1:9/v1']);

  await rig.visit(page, '/settings/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).first().click();
  await page.getByLabel('URL').fill('https://example.com/spillway');
  await showKey('Add webhook', /Leave empty for all events/);
  await page.getByText('It is shown only once').waitFor();
  await page.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('button', { name: 'Rotate the secret of https://example.com/spillway' }).click();
  await showKey('Rotate the secret', /it loses none/);
  await page.getByText('is shown only once').waitFor();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  expect(complaints).toEqual([]);
});
