// @module-tag long
import { readFile } from 'node:fs/promises';
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, until, type Api } from '@spillway/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectWellMade, startConsoleRig, violations, writeSamples, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  rig = await startConsoleRig();
  api = apiOf(rig.stack);
  await writeSamples(rig.stack);
});
afterAll(() => rig?.stop());

beforeEach(async () => {
  await api.call('PUT', '/v1/policy', {});
  ({ page, complaints } = await rig.open());
  await rig.signIn(page);
});
afterEach(() => rig.close(page));

/** It may lead on to another page first. */
const open = (path: string) => rig.visit(page, path);

const row = (path: string): Locator => page.locator(`[data-path="${path}"]`);
const input = (path: string): Locator => row(path).locator('input:not([type=hidden])').last();
const source = (path: string): Promise<string | null> => row(path).getByTestId('source').textContent();
const policy = async (): Promise<Schemas['ProjectPolicy']> =>
  (await api.call<Schemas['ProjectPolicy']>('GET', '/v1/policy')).body;
const textIn = ({ policy }: { policy: object }): string => JSON.stringify(policy);

describe('the policy editor', () => {
  test('says what would change before it is saved, saves it, and goes back to what is inherited', async () => {
    await open('/settings/policy');
    expect(await source('context.max_images')).toBe('default');
    await input('context.max_images').fill('9');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('context.max_images').waitFor();
    expect(await bar.textContent()).toMatch(/5.*→.*9/);
    expect(await source('context.max_images')).toBe('project');
    await expectWellMade(page, /unsaved change/i, complaints);
    await bar.getByRole('button', { name: 'Save', exact: true }).click();
    await bar.waitFor({ state: 'detached' });
    expect((await policy()).policy).toEqual({ context: { max_images: 9 } });

    await page.getByRole('button', { name: 'Reset context.max_images' }).click();
    await bar.getByText('context.max_images').waitFor();
    expect(await input('context.max_images').inputValue()).toBe('5');
    // At once, while the note of the first time is still there: it may not stand on the button.
    await page.getByRole('alert').filter({ hasText: /saved/i }).waitFor();
    await bar.getByRole('button', { name: 'Save', exact: true }).click({ timeout: 2_000 });
    await bar.waitFor({ state: 'detached' });
    expect((await policy()).policy).toEqual({});
  });

  test("shows the API's problems beside their fields, and saves nothing while there are any", async () => {
    await open('/settings/policy');
    await input('context.max_images').fill('2000');
    await row('context.max_images').getByRole('alert').waitFor();
    await input('context.max_images').fill('4');
    await row('context.max_images').getByRole('alert').waitFor({ state: 'detached' });
    await row('summary.provider').locator('select').selectOption('anthropic');
    await row('summary.provider').getByText('is not configured on this server').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect((await policy()).policy).toEqual({});
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  test('explains a preset by what it sets, and a key beside it wins', async () => {
    await open('/settings/policy');
    await page.getByLabel('Preset').selectOption('dawn');
    await page.getByText('It sets:').waitFor();
    await page.getByText('context.keep_recent_turns').first().waitFor();
    await until('the preset is a source', async () => (await source('outputs.head_lines')) === 'preset dawn');
    await input('outputs.head_lines').fill('3');
    await until('the key wins', async () => (await source('outputs.head_lines')) === 'project');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: /saved/i }).waitFor();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    expect((await policy()).policy).toEqual({ preset: 'dawn', outputs: { head_lines: 3 } });
  });

  test('is JSON too: what is pasted there is what the form shows', async () => {
    await open('/settings/policy?view=json');
    const text = page.getByLabel('Policy as JSON');
    await text.fill('{"context": ');
    await page.locator('p[role=alert]').waitFor();
    await text.fill('{"context": {"trigger_ratio": 0.55}}');
    await page.getByText('context.trigger_ratio').waitFor();
    await expectWellMade(page, /unsaved change/, complaints);
    await page.getByText('Form', { exact: true }).click();
    expect(await input('context.trigger_ratio').inputValue()).toBe('0.55');
  });

  test('keeps JSON that cannot be read, says where it ends, and changes the view once it is corrected', async () => {
    await open('/settings/policy?view=json');
    const text = page.getByLabel('Policy as JSON');
    const broken = '{\n  "context": {"max_images": 3},\n  "outputs" {}\n}';
    await text.fill(broken);
    const place = 'Line 3, column 13: expected a colon, found {';
    await page.locator('p[role=alert]').getByText(place).waitFor();
    for (const name of ['Form', 'Dry run']) {
      await page.getByText(name, { exact: true }).click();
      const note = page.getByRole('alert').filter({ hasText: /Correct it or discard it first/ });
      await note.getByText(place).waitFor();
      expect(await text.inputValue()).toBe(broken);
      await expectWellMade(page, /Other views/, complaints);
      await note.getByRole('button', { name: 'Go to it' }).click();
      expect(await text.evaluate('document.activeElement.ariaLabel')).toBe('Policy as JSON');
    }
    // Somebody else's version waits until it is asked for, and another page loses nothing.
    await api.call('PUT', '/v1/policy', { outputs: { head_lines: 2 } });
    await page.getByText('Somebody else changed this policy.').waitFor();
    expect(await text.inputValue()).toBe(broken);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.waitForURL('**/jobs');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings/**');
    await page.getByRole('link', { name: 'Policy' }).click();
    await text.waitFor();
    expect(await text.inputValue()).toBe(broken);
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await text.fill(broken.replace('" {', '": {'));
    await page.getByText('Form', { exact: true }).click();
    expect(await input('context.max_images').inputValue()).toBe('3');
    await input('context.trigger_ratio').fill('');
    await page.getByText('JSON', { exact: true }).click();
    await page.getByText('context.trigger_ratio must be a number').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('JSON', { exact: true }).click();
    expect(JSON.parse(await text.inputValue())).toEqual({ outputs: { head_lines: 2 } });
    expect(complaints).toEqual([]);
  });

  test('keeps what is unsaved while one looks at another page, and asks before it is lost', async () => {
    await open('/settings/policy');
    await input('context.max_images').fill('9');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('context.max_images').waitFor();
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.waitForURL('**/jobs');
    await page.goBack();
    await bar.getByText('context.max_images').waitFor();
    expect(await input('context.max_images').inputValue()).toBe('9');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await input('context.max_images').waitFor();
    expect(await bar.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('keeps what is typed while a save is under way, over the saved version', async () => {
    await open('/settings/policy');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const save = bar.getByRole('button', { name: 'Save', exact: true });
    let answer = Promise.withResolvers<void>();
    await page.route('**/api/v1/policy', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      const response = await route.fetch();
      await answer.promise;
      await route.fulfill({ response });
    });
    await input('context.max_images').fill('9');
    await bar.getByText('context.max_images').waitFor();
    await save.click();
    await until('it is saved', async () => textIn(await policy()) === '{"context":{"max_images":9}}');
    await input('context.max_images').fill('8');
    await input('outputs.head_lines').fill('3');
    answer.resolve();
    await page.getByRole('alert').filter({ hasText: /saved/i }).waitFor();
    await bar.getByText('outputs.head_lines').waitFor();
    await until('it is compared with the saved version', async () =>
      /max_images 9 → 8/.test((await bar.textContent()) ?? ''),
    );
    expect(await input('context.max_images').inputValue()).toBe('8');
    expect(await input('outputs.head_lines').inputValue()).toBe('3');
    expect(await page.getByText('Somebody else changed this policy.').count()).toBe(0);
    await expectWellMade(page, /2 unsaved changes/, complaints);

    // Also text that cannot be read yet, which the draft does not have.
    answer = Promise.withResolvers<void>();
    await page.getByText('JSON', { exact: true }).click();
    await save.click();
    await until('it is saved, too', async () => textIn(await policy()).includes('"head_lines":3'));
    const json = page.getByLabel('Policy as JSON');
    const broken = (await json.inputValue()).replace(/\}$/, ',');
    await json.fill(broken);
    answer.resolve();
    await until('it is the base', async () =>
      /^Unsaved changes$/.test((await bar.getByRole('status').textContent()) ?? ''),
    );
    expect(await json.inputValue()).toBe(broken);
    await bar.getByRole('button', { name: 'Discard' }).click();
    expect(textIn({ policy: JSON.parse(await json.inputValue()) as object })).toBe(textIn(await policy()));
    expect(complaints).toEqual([]);
  });

  test('says when somebody else changed the policy meanwhile, and lets one choose', async () => {
    await open('/settings/policy');
    await input('context.max_images').fill('7');
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText('context.max_images').waitFor();
    // The other version comes when this one is on its way: a page that has read it before does not offer to save.
    let isChanged = false;
    await page.route('**/api/v1/policy', async (route) => {
      if (route.request().method() === 'PUT' && !isChanged) {
        isChanged = true;
        await api.call('PUT', '/v1/policy', { outputs: { head_lines: 2 } });
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else changed this policy.').waitFor();
    await page.getByText('outputs.head_lines').first().waitFor();
    expect((await policy()).policy).toEqual({ outputs: { head_lines: 2 } });
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: /Keep mine/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    expect((await policy()).policy).toEqual({ context: { max_images: 7 } });
  });

  test('edits the policy of one thread above the project’s', async () => {
    await open('/settings/policy?thread=release-review');
    await page.getByText(/Window 16,000 tokens/).waitFor();
    expect(await source('context.context_window')).toBe('thread');
    await input('context.trigger_tokens').fill('6000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/trigger 6,000/).waitFor();
    expect((await api.thread('release-review')).trigger_tokens).toBe(6_000);
    await api.call('PATCH', '/v1/threads/release-review', {
      policy: { context: { context_window: 16_000 } },
    });
  });

  test('knows its own save of a thread’s policy again when the policy cannot be read after it', async () => {
    await api.createThread({ id: 'saved-unread' });
    await open('/settings/policy?thread=saved-unread');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const alert = page.getByRole('alert');
    await input('context.max_images').fill('9');
    await bar.getByText('context.max_images').waitFor();
    let refused = 0;
    await page.route('**/api/v1/threads/saved-unread/policy', (route) => {
      refused++;
      return route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' });
    });
    await bar.getByRole('button', { name: 'Save', exact: true }).click();
    await alert.filter({ hasText: 'Saved' }).waitFor();
    expect(refused).toBeGreaterThan(0);
    await page.unrouteAll();
    await bar.or(page.getByText('Somebody else changed this policy.')).waitFor();
    await bar.waitFor({ state: 'detached' });
    expect(await page.getByText('Somebody else changed this policy.').count()).toBe(0);
    expect(await input('context.max_images').inputValue()).toBe('9');
  });

  test('knows its own save again when the answer to it is lost', async () => {
    await open('/settings/policy');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await page.route('**/api/v1/policy', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await input('context.max_images').fill('9');
    await bar.getByText('context.max_images').waitFor();
    await bar.getByRole('button', { name: 'Save', exact: true }).click();
    await until('it is saved', async () => textIn(await policy()) === '{"context":{"max_images":9}}');
    const theirs = page.getByText('Somebody else changed this policy.');
    await until(
      'the newer version is read',
      async () => (await bar.count()) === 0 || (await theirs.count()) > 0,
    );
    expect(await theirs.count()).toBe(0);
    expect(await input('context.max_images').inputValue()).toBe('9');
  });
});

test('a dry run says when a thread would have been compacted, as a chart, in tables and in a sentence', async () => {
  await open('/settings/policy?view=dry-run');
  await page.getByRole('combobox', { name: 'Thread' }).fill('late-tr');
  await page.getByRole('option', { name: 'late-trigger' }).click();
  await page.getByText('with as many tokens sent').waitFor();
  expect(page.url()).toContain('try=late-trigger');
  await page.getByText('JSON', { exact: true }).click();
  await page
    .getByLabel('Policy as JSON')
    .fill('{"context": {"trigger_tokens": 5000, "min_reclaim_ratio": 0.05}}');
  await page.getByText('Dry run', { exact: true }).click();
  await until('the draft is replayed', async () =>
    /would have compacted at .*\d+% (fewer|more) tokens sent/.test(
      (await page.getByTestId('verdict').textContent()) ?? '',
    ),
  );
  await page.getByRole('img', { name: /Live tokens over/ }).waitFor();
  const asked = {
    thread_id: 'late-trigger',
    policy: { context: { trigger_tokens: 5_000, min_reclaim_ratio: 0.05 } },
  };
  const { body } = await api.call<Schemas['PolicySimulation']>('POST', '/v1/policy/simulate', asked);
  const rows = page.getByRole('group', { name: 'Draft: compactions' }).locator('tbody tr');
  expect(await rows.count()).toBe(Math.min(20, body.draft.compactions.length));
  expect((await policy()).policy).toEqual({});
  await expectWellMade(page, /In numbers/, complaints);
});

describe('keys', () => {
  test('are made with a preset, shown once with a command that works, and revoked after asking', async () => {
    await open('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('browser agent');
    await page.getByRole('button', { name: 'Read-only' }).click();
    await page.getByLabel('Expires').selectOption('month');
    await expectWellMade(page, /Scopes/, complaints);
    await rowsOf(rig.stack.databaseUrl, `UPDATE sessions SET proved_at = proved_at - interval '6 minutes'`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Your sign-in is too old').waitFor();
    expect(await page.getByTestId('shown-once').count()).toBe(0);
    await page.getByLabel('Your API key').fill(rig.stack.key);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByTestId('shown-once').textContent())!;
    // The browser itself notes the refusal.
    expect(complaints.splice(0).filter((text) => !text.includes('403'))).toEqual([]);
    expect(await page.locator('pre').textContent()).toContain(`SPILLWAY_KEY=${key}`);
    expect(await page.locator('pre').textContent()).toContain(`SPILLWAY_URL=${rig.stack.url}`);
    const agent = apiOf({ url: rig.stack.url, key });
    expect((await agent.call('GET', '/v1/threads')).status).toBe(200);
    expect((await agent.call('GET', '/v1/keys')).status).toBe(403);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: 'browser agent', exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);

    await page.getByRole('button', { name: 'Revoke browser agent' }).click();
    await page.getByText(/Within five seconds every request/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
    await until('it is refused', async () => (await agent.call('GET', '/v1/threads')).status === 401);
    await expectWellMade(page, /browser agent/, complaints);
  });

  test('have a budget of model tokens, which is given, shown with what is spent, and changed by keyboard', async () => {
    await open('/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('budgeted agent');
    await page.getByLabel('Model tokens a day').fill('1500000');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const ofKey = page.getByRole('row', { name: /budgeted agent/ });
    await ofKey.getByRole('cell', { name: '0 of 1,500,000', exact: true }).waitFor();

    const { body } = await api.call<Schemas['KeyList']>('GET', '/v1/keys');
    const { id } = body.data.find(({ name }) => name === 'budgeted agent')!;
    await rowsOf(
      rig.stack.databaseUrl,
      `INSERT INTO key_usage_days (project_id, day, key_id, chat_tokens)
        SELECT project_id, date_trunc('day', now(), 'UTC'), id, 1600000 FROM api_keys WHERE id = $1`,
      [id],
    );
    await open('/settings/keys');
    await ofKey.getByRole('cell', { name: '1,600,000 of 1,500,000 spent' }).waitFor();
    await expectWellMade(page, /budgeted agent/, complaints);

    const change = page.getByRole('button', { name: 'Change budgeted agent' });
    await change.focus();
    await page.keyboard.press('Enter');
    const budget = page.getByRole('dialog').getByLabel('Model tokens a day');
    await budget.waitFor();
    await expectWellMade(page, /Change budgeted agent/, complaints);
    await budget.fill('9999999999999');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: '1000000000000' }).waitFor();
    expect(complaints.splice(0).filter((text) => !text.includes('422'))).toEqual([]);
    await budget.fill('2000000');
    await page.keyboard.press('Enter');
    await ofKey.getByRole('cell', { name: '1,600,000 of 2,000,000', exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await until('the focus is back', () =>
      change.evaluate((button: { matches(selector: string): boolean }) => button.matches(':focus')),
    );

    await change.click();
    await page.getByRole('dialog').getByLabel('Name').fill('unbound agent');
    await budget.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    const renamed = page.getByRole('row', { name: /unbound agent/ });
    await renamed.getByRole('cell', { name: '1,600,000', exact: true }).waitFor();
    await expectWellMade(page, /unbound agent/, complaints);
  });

  test('that are no admin’s meet an explanation in the place of an error, and a policy to read only', async () => {
    const { body } = await api.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
      name: 'dashboards',
      scopes: ['context:read'],
    });
    await page.context().clearCookies();
    await rig.enterKey(page, body.key);
    for (const path of ['keys', 'audit', 'system', 'webhooks', 'upstreams']) {
      await open(`/settings/${path}`);
      await page.getByText('You are signed in with').waitFor();
      expect(await page.getByText('context:read', { exact: true }).count()).toBe(1);
    }
    expect(await violations(page)).toEqual([]);
    await open('/outputs');
    await page
      .getByRole('heading', { level: 1, name: 'Outputs need a key with the scope outputs:read' })
      .waitFor();
    await open('/jobs');
    await page.getByRole('heading', { level: 1, name: 'Jobs need a key with the scope admin' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await open('/settings/policy');
    await page.getByText('Your key may read it and not change it.').waitFor();
    expect(await input('context.max_images').isDisabled()).toBe(true);
    // Values that nobody may change are there to be read, in the ink of all text.
    const inks = await page.evaluate<string[]>(
      `[...document.querySelectorAll('h1, #content :is(input[type=text], select):disabled')]
        .map((one) => getComputedStyle(one)).map(({ color, opacity }) => color + ' at ' + opacity)`,
    );
    expect(inks.length).toBeGreaterThan(10);
    expect([...new Set(inks)]).toEqual([expect.stringMatching(/^rgb.* at 1$/)]);
    await open('/settings/models');
    await page.getByText('Changing one takes an admin key.').waitFor();
  });
});

test('a model gets a window and prices, is found again, and given back', async () => {
  await open('/settings/models?q=gpt-4o-mini');
  await page.getByRole('button', { name: 'Change gpt-4o-mini', exact: true }).click();
  await page.getByLabel('Context window').fill('7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: '256' }).waitFor();
  await page.getByLabel('Context window').fill('48000');
  await page.getByLabel('Input price', { exact: true }).fill('0.15');
  await page.getByLabel('Output price').fill('0.6');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('cell', { name: '48,000' }).waitFor();
  await page.getByRole('cell', { name: '$0.15' }).waitFor();
  await page.getByRole('cell', { name: '$0.60' }).waitFor();
  const { data } = (await api.call<Schemas['ModelList']>('GET', '/v1/models')).body;
  expect(data.find(({ name }) => name === 'gpt-4o-mini')).toMatchObject({
    context_window: 48_000,
    input_price: 0.15,
    cached_input_price: null,
    output_price: 0.6,
  });
  await open('/settings/models?overrides=only');
  await page.getByRole('cell', { name: 'gpt-4o-mini', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove the override of gpt-4o-mini' }).click();
  await page.getByRole('button', { name: 'Take it back', exact: true }).click();
  await page.getByText('No model has a window or price of its own').waitFor();
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  complaints.length = 0;
  await expectWellMade(page, /No model has a window or price of its own/, complaints);
});

test('the audit log names who did it, says what was and what became of it, and leads there', async () => {
  await api.call('PUT', '/v1/policy', { context: { max_images: 3 } });
  await open('/settings/audit?action=policy.changed');
  const first = page.locator('tbody tr').first();
  await first.getByText('context.max_images').waitFor();
  expect(await first.textContent()).toMatch(/bootstrap.*Changed the policy.*not set.*→.*3/);
  expect(await first.getByTitle('policy.changed', { exact: true }).textContent()).toBe('Changed the policy');
  await expectWellMade(page, /Changed the policy/, complaints);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON lines' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n');
  const actions = new Set(lines.map((line) => (JSON.parse(line) as { action: string }).action));
  expect([...actions]).toEqual(['policy.changed']);
  await page.getByRole('combobox', { name: 'Action' }).fill('nothing.like.this');
  await page.getByText('Nothing matches').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('cell', { name: 'Signed in', exact: true }).first().waitFor();
});

test('the audit log tells what a thread token did from what its key did', async () => {
  await api.append('with-token', { role: 'user', content: 'hello' });
  const asked = { scopes: ['threads:manage'] };
  const issued = await api.call<{ id: string; token: string }>(
    'POST',
    '/v1/threads/with-token/tokens',
    asked,
  );
  const holder = apiOf({ url: rig.stack.url, key: issued.body.token });
  await holder.call('PATCH', '/v1/threads/with-token', { policy: { context: { trigger_ratio: 0.6 } } });
  await open('/settings/audit?action=thread.policy_changed');
  const who = page.getByRole('cell', { name: `bootstrap thread token ${issued.body.id.slice(0, 8)}` });
  await who.waitFor();
  await open('/settings/audit?action=token.created');
  expect(await page.getByRole('cell', { name: /^bootstrap key [0-9a-f]{8}$/ }).count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('changes are found among the reads of a day', async () => {
  await api.append('looked-at', { role: 'user', content: 'hello' });
  await rig.visit(page, '/threads/looked-at');
  await open('/settings/audit');
  await api.call('DELETE', '/v1/threads/looked-at');
  await page.getByRole('cell', { name: 'Opened a thread', exact: true }).first().waitFor();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('changes');
  await page.waitForURL(/kind=changes/);
  await page
    .getByRole('cell', { name: 'Opened a thread', exact: true })
    .first()
    .waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Erased a thread', exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});

test('the audit log is filtered by any key, also beyond the first page of them', async () => {
  const [key] = await rowsOf<{ id: string }>(
    rig.stack.databaseUrl,
    `WITH many AS (
       INSERT INTO api_keys (project_id, name, prefix, hash, scopes, revoked_at, created_at)
       SELECT p.id, 'one of many ' || n, 'sw_many', sha256(n::text::bytea), '{}', now(), now() - n * interval '1 s'
       FROM projects p, generate_series(1, 1100) n WHERE p.name = 'default' RETURNING id, name
     ) SELECT id FROM many WHERE name = 'one of many 1100'`,
  );
  await open('/settings/audit');
  const who = page.getByRole('combobox', { name: 'Who' });
  await until('all keys are offered', async () => (await who.locator('option').count()) > 1_100);
  await who.selectOption({ label: 'one of many 1100 (sw_many…)' });
  await page.waitForURL(/actor=/);
  expect(new URL(page.url()).searchParams.get('actor')).toBe(`key:${key!.id}`);
  await rowsOf(rig.stack.databaseUrl, `DELETE FROM api_keys WHERE name LIKE 'one of many %'`);
  expect(complaints).toEqual([]);
});

test('older entries of the audit log come as one goes down', async () => {
  for (let i = 0; i < 130; i++) await api.call('PUT', '/v1/policy', { outputs: { head_lines: i } });
  await open('/settings/audit?action=policy.changed');
  await until('more than a page is shown', async () => {
    await page.locator('tbody tr').last().scrollIntoViewIfNeeded();
    return (await page.locator('tbody tr').count()) > 120;
  });
  expect(complaints).toEqual([]);
});

test('older entries that cannot be read are asked for again by a button, not without end', async () => {
  const problem = { type: 'about:blank', title: 'Broken', status: 500, detail: 'The log is out of reach.' };
  let asked = 0;
  await page.route(/\/v1\/audit\?.*cursor=/, async (route) => {
    asked++;
    await route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...problem, code: 'internal', request_id: 'r1' }),
    });
  });
  await open('/settings/audit?action=policy.changed');
  await page.locator('tbody tr').last().scrollIntoViewIfNeeded();
  await page.getByRole('alert').filter({ hasText: problem.detail }).waitFor();
  await page.waitForTimeout(2_000);
  expect(asked).toBe(1);
  const rows = await page.locator('tbody tr').count();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await until('older ones are there', async () => (await page.locator('tbody tr').count()) > rows);
});

test('the audit log has the newest entries when one comes back to it after a while', async () => {
  await page.clock.install();
  await open('/settings/audit?action=policy.changed');
  await page.getByRole('cell', { name: 'Changed the policy', exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.waitForURL('**/jobs');
  await api.call('PUT', '/v1/policy', { context: { max_images: 77 } });
  // By then the browser has forgotten what it read, and has the page that the server sent.
  await page.clock.fastForward('10:00');
  await page.goBack();
  await page.locator('tbody tr').first().getByText('77').waitFor({ timeout: 20_000 });
  expect(complaints).toEqual([]);
});

test('what is typed into the search for models and the days of the audit log stays, however fast it comes', async () => {
  await open('/settings/models');
  const search = page.getByRole('textbox', { name: 'Search models by name' });
  await search.focus();
  await page.keyboard.type('gpt-4o-mini');
  expect(await search.inputValue()).toBe('gpt-4o-mini');
  await page.waitForURL(/q=gpt-4o-mini$/);
  expect(await search.inputValue()).toBe('gpt-4o-mini');
  await open('/settings/audit');
  for (const [label, name] of [
    ['From (UTC)', 'from'],
    ['To (UTC)', 'to'],
  ] as const) {
    const day = page.getByLabel(label);
    await day.focus();
    await page.keyboard.type('02032024');
    expect(await day.inputValue()).toBe('2024-02-03');
    await page.waitForURL((url) => url.searchParams.get(name) === '2024-02-03');
    expect(await day.inputValue()).toBe('2024-02-03');
  }
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await until('the days are cleared', async () => (await page.getByLabel('From (UTC)').inputValue()) === '');
  expect(complaints).toEqual([]);
});

test('the system page says which parts answer and shows no secret', async () => {
  await open('/settings/system');
  await expectWellMade(page, /What leaves this host/, complaints);
  await page.getByText('SPILLWAY_LEASE_MS').waitFor();
  const text = await page.content();
  for (const secret of [rig.stack.key, 'postgres:', 'password']) expect(text).not.toContain(secret);
});

test('every settings page is fit for 390 px and for the dark', async () => {
  await rig.close(page);
  ({ page, complaints } = await rig.open({ width: 390, height: 844 }));
  await page.emulateMedia({ colorScheme: 'dark' });
  await rig.signIn(page);
  for (const [path, text] of [
    ['', /Preset/],
    ['/policy?view=dry-run&try=late-trigger', /In numbers/],
    ['/keys', /bootstrap/],
    ['/models', /gpt-4o/],
    ['/audit?action=session.started', /^Signed in$/],
    ['/system', /Postgres/],
  ] as const) {
    await open(`/settings${path}`);
    await expectWellMade(page, text, complaints);
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(wide, path).toBe(false);
  }
});
