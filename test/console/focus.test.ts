import type { Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedInPage, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;

signedInPage((given) => ({ rig, api, page } = given));

/** The focused element: its tag, and its label or text. */
const focused = (): Promise<string> =>
  page.evaluate(`(({ tagName, ariaLabel, innerText }) => tagName + ': ' + (ariaLabel ?? innerText).trim())(
    document.activeElement)`);

test('a button keeps the focus while its request runs and after it was refused', async () => {
  await api.createThread({ id: 'busy', policy: { context: { context_window: 1_000_000 } } });
  await api.append('busy', { role: 'user', content: 'Please read the log.' });
  await rig.visit(page, '/threads/busy?tab=instructions');
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let requests = 0;
  await page.route('**/v1/threads/busy/instructions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    requests++;
    await answered;
    await route.abort();
  });
  await page.getByLabel('New instruction').fill('Answer in German.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const button = page.getByRole('button', { name: 'Add', exact: true });
  await button.and(page.locator('[aria-disabled=true]')).waitFor();
  expect(await focused()).toBe('BUTTON: Add');
  await page.keyboard.press('Enter');
  await button.click({ force: true });
  answer();
  await page.getByRole('alert').filter({ hasText: 'The API does not answer' }).waitFor();
  expect(await focused()).toBe('BUTTON: Add');
  expect(requests).toBe(1);
});

test('a focused button that leaves the page hands the focus to its row, or to the next one', async () => {
  await api.createThread({ id: 'rows', policy: { context: { context_window: 1_000_000 } } });
  for (const text of ['Never push to main.', 'Always answer in German.', 'Never delete the logs.']) {
    const { status } = await api.call('POST', '/v1/threads/rows/instructions', { text });
    expect(status).toBe(201);
  }
  await rig.visit(page, '/threads/rows?tab=instructions');
  await page.getByRole('button', { name: 'Dismiss: Always answer in German.' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve: Always answer in German.' }).waitFor();
  expect(await focused()).toMatch(/^TR: Always answer in German\./);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('BUTTON: Approve: Always answer in German.');
});
