// @module-tag long
import { type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled, turns } from '../../folding-thread.js';
import { signedInPage, type ConsoleRig } from '../console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;

signedInPage((given) => ({ rig, api, page } = given));

const tab = (name: string) => page.getByRole('tab', { name });
const generation = (number: number) =>
  page.getByRole('heading', { name: new RegExp(`^Generation ${number}`) });
const selected = () => page.locator('article[data-selected="true"]').getAttribute('aria-label');
const focused = () =>
  page.evaluate<string>(
    `document.activeElement.role + ' ' + (document.activeElement.ariaLabel ?? document.activeElement.innerText)`,
  );

/** A thread with two generations. */
async function writeThread(): Promise<void> {
  const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 }, summary: { max_tokens: 400 } };
  await api.createThread({ id: 'tabbed', policy });
  for (const least of [1, 2]) {
    await api.append('tabbed', ...turns(20));
    await settled(api, 'tabbed', least);
  }
}

test('after a click on a tab the keys of its list work, also after a click on the tab that is open', async () => {
  await writeThread();
  const newest = (await api.thread('tabbed')).compaction.generation;
  await rig.visit(page, '/threads/tabbed?tab=instructions');
  await tab('Summaries').click();
  await generation(newest).waitFor();
  await page.keyboard.press('j');
  await generation(newest - 1).waitFor();
  await tab('Summaries').click();
  await page.keyboard.press('k');
  await generation(newest).waitFor();
  await tab('Messages').click();
  await page.getByRole('article', { name: 'Message 40' }).waitFor();
  await page.keyboard.press('G');
  await expect.poll(selected).toBe('Message 40');
  await page.keyboard.press('k');
  await expect.poll(selected).toBe('Message 39');
});

test('who moves through the tabs by keyboard stays on them, with a focus ring', async () => {
  await api.createThread({ id: 'walked' });
  await api.append('walked', { role: 'user', content: 'Hello' });
  await rig.visit(page, '/threads/walked?tab=context');
  await tab('Context').focus();
  const ring = () => page.evaluate<boolean>(`document.activeElement.matches('[role=tab]:focus-visible')`);
  for (const [key, name] of [
    ['ArrowLeft', 'Messages'],
    ['ArrowRight', 'Context'],
    ['ArrowRight', 'Instructions'],
    ['ArrowRight', 'Summaries'],
    ['Enter', 'Summaries'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator('[role=tab][aria-selected=true]', { hasText: new RegExp(name, 'i') }).waitFor();
    await page.getByRole('tabpanel', { name: new RegExp(name, 'i') }).waitFor();
    expect(await focused()).toMatch(new RegExp(`^tab ${name}`, 'i'));
    expect(await ring()).toBe(true);
  }
});
