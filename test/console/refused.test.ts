// @module-tag long
import type { Schemas } from '@spillway/client';
import { until, type Api } from '@spillway/testing';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { proposedSummary } from '../folding-thread.js';
import { signedInPage, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;

signedInPage((given) => ({ rig, api, page } = given));
beforeEach(async () => {
  await api.call('PUT', '/v1/policy', {});
});

const policy = {
  context: { context_window: 8_000, trigger_ratio: 0.3 },
  summary: { max_tokens: 300, apply: 'on_approval' },
};

/** A thread of which a summary waits for an approval. */
async function proposed(id: string): Promise<void> {
  await api.createThread({ id, policy });
  await proposedSummary(api, id);
}
const dialog = (): Locator => page.getByRole('dialog');
const button = (name: string, within: Page | Locator = page): Locator =>
  within.getByRole('button', { name, exact: true });

test('an action that fails says why in its dialog, and can be tried again there', async () => {
  await proposed('down');
  await rig.visit(page, '/threads/down?tab=summaries&gen=1');
  await page.route('**/summaries/1/approve', (route) => route.abort());
  await button('Approve').click();
  await button('Approve generation 1', dialog()).click();
  await dialog().getByRole('alert').filter({ hasText: 'The API does not answer' }).waitFor();
  await page.unroute('**/summaries/1/approve');
  await button('Approve generation 1', dialog()).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('A worker puts generation 1 in place.').waitFor();
  await until('it is in place', async () => (await api.thread('down')).compaction.generation === 1);
  expect((await api.context('down')).summary).not.toBeNull();
});

test('an action on what somebody else decided meanwhile says so, and shows the page as it is now', async () => {
  await proposed('late');
  // The stream is open and silent. The other decision comes when this one is on its way: before that, a read of the page
  // may say that the generation is gone.
  await page.addInitScript(`window.EventSource = class extends EventTarget {
    constructor() { super(); setTimeout(() => this.onopen(), 10); }
    close() {}
  };`);
  await rig.visit(page, '/threads/late?tab=summaries&gen=1');
  await page.route('**/summaries/1/approve', async (route) => {
    expect((await api.call('POST', '/v1/threads/late/summaries/1/reject')).status).toBe(200);
    await route.continue();
  });
  await button('Approve').click();
  await button('Approve generation 1', dialog()).click();
  // The notification: panels that were read only now say the same in their place.
  await page
    .getByRole('alert')
    .filter({ hasText: /No such generation\. \(request/ })
    .waitFor();
  await dialog().waitFor({ state: 'detached' });
  await button('Approve').waitFor({ state: 'detached' });
});

test('a failure that arrives after its dialog was closed is a notification', async () => {
  await proposed('slow');
  await rig.visit(page, '/threads/slow?tab=summaries&gen=1');
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/summaries/1/reject', async (route) => {
    await answered;
    await route.abort();
  });
  await button('Reject').click();
  await button('Reject generation 1', dialog()).click();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  answer();
  await page.getByRole('alert').filter({ hasText: 'The API does not answer' }).waitFor();
  expect(await dialog().count()).toBe(0);
});

test('a failure that arrives after its tab was left is a notification', async () => {
  await proposed('left');
  await rig.visit(page, '/threads/left');
  await page.getByRole('tab', { name: 'Summaries' }).click();
  const answered = Promise.withResolvers<void>();
  await page.route('**/summaries/1/reject', async (route) => {
    await answered.promise;
    await route.abort();
  });
  await button('Reject').click();
  await button('Reject generation 1', dialog()).click();
  await page.goBack();
  await dialog().waitFor({ state: 'detached' });
  answered.resolve();
  await page.getByRole('alert').filter({ hasText: 'The API does not answer' }).waitFor();
  expect(await dialog().count()).toBe(0);
});

test('the typed id of a thread is not kept for the next time that somebody erases it', async () => {
  await api.createThread({ id: 'typed' });
  await rig.visit(page, '/threads/typed');
  await button('Erase').click();
  await dialog().getByRole('textbox').fill('typed');
  await button('Cancel', dialog()).click();
  await dialog().waitFor({ state: 'detached' });
  await button('Erase').click();
  expect(await dialog().getByRole('textbox').inputValue()).toBe('');
  expect(await button('Erase thread', dialog()).isEnabled()).toBe(false);
});

test('a key that is shown once stays on Escape, has the focus, and is shown when it arrives late', async () => {
  await rig.visit(page, '/settings/keys');
  const shown = page.getByTestId('shown-once');
  await button('New key').click();
  await dialog().getByLabel('Name').fill('once');
  await page.keyboard.press('Enter');
  await shown.waitFor();
  expect(await page.evaluate('document.activeElement.dataset.testid')).toBe('shown-once');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  expect(await shown.innerText()).toMatch(/^sw_/);
  await button('I have copied it').click();
  await shown.waitFor({ state: 'detached' });

  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/v1/keys', async (route) => {
    if (route.request().method() === 'POST') await answered;
    await route.continue();
  });
  await button('New key').click();
  await dialog().getByLabel('Name').fill('late');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  answer();
  await shown.waitFor();
});

test('Cancel of a form sends nothing', async () => {
  await rig.visit(page, '/settings/keys');
  const sent: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
  await button('New key').click();
  await dialog().getByLabel('Name').fill('unwanted');
  await button('Cancel', dialog()).click();
  await dialog().waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
  expect(sent).toEqual([]);
});

test('a policy whose JSON cannot be read is not saved as it was before', async () => {
  await rig.visit(page, '/settings/policy?view=json');
  const json = page.getByLabel('Policy as JSON');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await json.fill('{"context":{"max_images":7}}');
  await bar.getByText('context.max_images').waitFor();
  await json.fill('{"context":{"max_images":9}');
  await page
    .getByRole('alert')
    .filter({ hasText: 'Line 1, column 28: expected a comma or }, found the end of the text' })
    .waitFor();
  expect(await button('Save', bar).isEnabled()).toBe(false);
  await button('Discard', bar).click();
  await bar.waitFor({ state: 'detached' });
  expect(await json.inputValue()).toBe('{}');
  expect(await page.getByText(/Line 1, column/).count()).toBe(0);
});

test('a required number that is emptied is not saved as it was before', async () => {
  await rig.visit(page, '/settings/policy');
  const field = (path: string) => page.locator(`[data-path="${path}"]`);
  const images = field('context.max_images').locator('input');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await images.fill('');
  await field('context.max_images').getByRole('alert').getByText('must be a number').waitFor();
  await field('outputs.head_lines').locator('input').fill('7');
  await bar.getByText('outputs.head_lines').waitFor();
  expect(await button('Save', bar).isEnabled()).toBe(false);
  await button('Discard', bar).click();
  await bar.waitFor({ state: 'detached' });
  expect(await images.inputValue()).toBe('5');
  await images.fill('9');
  await bar.getByText('context.max_images').waitFor();
  await images.fill('');
  await field('context.max_images').getByRole('alert').waitFor();
  await images.fill('4');
  await button('Save', bar).click();
  await bar.waitFor({ state: 'detached' });
  const { body } = await api.call<Schemas['ProjectPolicy']>('GET', '/v1/policy');
  expect(body.policy).toEqual({ context: { max_images: 4 } });
});

test('a ratio is typed through its decimal point, and is saved as it stands', async () => {
  await rig.visit(page, '/settings/policy');
  const ratio = page.locator('[data-path="context.trigger_ratio"] input[type=text]');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await ratio.fill('');
  await ratio.pressSequentially('0.55');
  expect(await ratio.inputValue()).toBe('0.55');
  await button('Save', bar).click();
  await bar.waitFor({ state: 'detached' });
  const { body } = await api.call<Schemas['ProjectPolicy']>('GET', '/v1/policy');
  expect(body.policy).toEqual({ context: { trigger_ratio: 0.55 } });
});

test('a body that is too large is said to be, by the API and not by the console', async () => {
  await rig.visit(page, '/settings/policy');
  const answer = await page.evaluate<{ status: number; code: string }>(`(async () => {
    const body = JSON.stringify({ summary: { instructions: 'word '.repeat(2_500_000) } });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/api/v1/policy', { method: 'PUT', headers, body });
    return { status: answer.status, code: (await answer.json()).code };
  })()`);
  expect(answer).toEqual({ status: 413, code: 'body_too_large' });
});

test('a policy whose save meets no API stays typed, and is saved once it is back', async () => {
  await rig.visit(page, '/settings/policy');
  const images = page.locator('[data-path="context.max_images"] input');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await images.fill('6');
  await bar.getByText('context.max_images').waitFor();
  await page.route('**/api/v1/policy', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await button('Save', bar).click();
  await page.getByRole('alert').filter({ hasText: 'The API does not answer' }).waitFor();
  expect(await images.inputValue()).toBe('6');
  await page.unroute('**/api/v1/policy');
  await button('Save', bar).click();
  await bar.waitFor({ state: 'detached' });
  const { body } = await api.call<Schemas['ProjectPolicy']>('GET', '/v1/policy');
  expect(body.policy).toEqual({ context: { max_images: 6 } });
});

test('a policy page that is left during a save shows what was saved when one comes back, before its end or after', async () => {
  const images = page.locator('[data-path="context.max_images"] input');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const leaveAndReturn = async (between: () => Promise<unknown>) => {
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.waitForURL('**/jobs');
    await between();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings/**');
    await page.getByRole('link', { name: 'Policy' }).click();
    await images.waitFor();
  };
  for (const [count, returnsFirst] of [
    ['6', false],
    ['7', true],
  ] as const) {
    await rig.visit(page, '/settings/policy');
    await images.fill(count);
    await bar.getByText('context.max_images').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/policy', async (route) => {
      if (route.request().method() === 'PUT') await held.promise;
      await route.continue();
    });
    await button('Save', bar).click();
    const finish = async () => {
      const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      held.resolve();
      await answered;
    };
    await leaveAndReturn(returnsFirst ? () => Promise.resolve() : finish);
    if (returnsFirst) await finish();
    await bar.waitFor({ state: 'detached' });
    expect(await images.inputValue()).toBe(count);
    expect(await page.getByText('Somebody else changed this policy.').count()).toBe(0);
    await page.unroute('**/api/v1/policy');
    const { body } = await api.call<Schemas['ProjectPolicy']>('GET', '/v1/policy');
    expect(body.policy).toEqual({ context: { max_images: Number(count) } });
  }
});

test('a model whose name is refused says so beside the name', async () => {
  await rig.visit(page, '/settings/models');
  await button('Add a model').click();
  await dialog().getByLabel('Model').fill('m'.repeat(201));
  await dialog().getByLabel('Context window').fill('8000');
  await button('Save', dialog()).click();
  await dialog().getByRole('alert').getByText(/200/).waitFor();
  expect(await dialog().getByLabel('Model').getAttribute('aria-invalid')).toBe('true');
});

test('an instruction that could not be added stays typed, with the reason beside it', async () => {
  await api.createThread({ id: 'words' });
  await rig.visit(page, '/threads/words?tab=instructions');
  await page.route('**/v1/threads/words/instructions', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  const field = page.getByLabel('New instruction');
  await field.fill('Answer in German.');
  await field.press('Enter');
  const form = page.locator('form').filter({ has: field });
  await form.getByRole('alert').filter({ hasText: 'The API does not answer' }).waitFor();
  expect(await field.inputValue()).toBe('Answer in German.');
});

test('an instruction that is being typed stays typed on another tab, and is gone once it is added', async () => {
  await api.createThread({ id: 'typed' });
  await api.createThread({ id: 'typed-elsewhere' });
  const field = page.getByLabel('New instruction');
  const leaveAndReturn = async () => {
    await page.getByRole('tab', { name: 'Context' }).click();
    await field.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Instructions' }).click();
    await field.waitFor();
  };
  await rig.visit(page, '/threads?q=typed');
  await page.getByRole('link', { name: 'typed', exact: true }).click();
  await page.getByRole('tab', { name: 'Instructions' }).click();
  await field.fill('Answer in German.');
  await leaveAndReturn();
  expect(await field.inputValue()).toBe('Answer in German.');
  // A new document would drop it: the browser asks.
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload().catch(() => undefined);
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await reloaded;
  await page.getByRole('navigation').getByRole('link', { name: 'Threads' }).click();
  await page.getByRole('link', { name: 'typed-elsewhere', exact: true }).click();
  await page.getByRole('tab', { name: 'Instructions' }).click();
  expect(await field.inputValue()).toBe('');
  await page.getByRole('navigation').getByRole('link', { name: 'Threads' }).click();
  await page.getByRole('link', { name: 'typed', exact: true }).click();
  await page.getByRole('tab', { name: 'Instructions' }).click();
  expect(await field.inputValue()).toBe('Answer in German.');
  await field.press('Enter');
  await page.getByRole('cell', { name: 'Answer in German.', exact: true }).waitFor();
  expect(await field.inputValue()).toBe('');
  await leaveAndReturn();
  expect(await field.inputValue()).toBe('');
});
