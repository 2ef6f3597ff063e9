// @module-tag long
import { loadFolder, until, type Api } from '@spillway/testing';
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

/** Tabs through a page. Returns the stops that are not wholly on screen, or that something covers. */
async function hiddenStops(of: Page): Promise<string[]> {
  const hidden: string[] = [];
  for (let stop = 0; stop < 100; stop++) {
    await of.keyboard.press('Tab');
    const found = await of.evaluate<string | null>(`(() => {
      const { activeElement: stop } = document;
      if (stop === document.body) return null;
      // A box to tick is drawn beside its element, which has no size.
      const shown = stop.getBoundingClientRect().width < 3 ? stop.parentElement : stop;
      // A list may be taller than the window.
      if (shown.clientHeight > innerHeight / 2) return '';
      const lines = [...shown.getClientRects()];
      const seen = ({ left, right, top, bottom }) =>
        left >= -1 && right <= innerWidth + 1 && top >= -1 && bottom <= innerHeight + 1 &&
        [left + 3, right - 3].every((x) => {
          const hit = document.elementFromPoint(x, (top + bottom) / 2);
          return shown.contains(hit) || hit?.contains(shown) || shown.parentElement.contains(hit);
        });
      return lines.every(seen) ? '' : stop.tagName + ': ' + (stop.ariaLabel ?? stop.innerText).trim();
    })()`);
    if (found === null) break;
    if (found !== '') hidden.push(found);
  }
  return hidden;
}

test('what gets the focus by keyboard is on screen and covered by nothing, on a phone too', async () => {
  await api.append('told', { role: 'user', content: 'The build is red. Never push to main.' });
  await api.createThread({
    id: 'parked',
    system: 'word '.repeat(6_000),
    policy: { context: { context_window: 8_000 } },
  });
  await api.append('parked', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('parked')).compaction.state === 'parked');
  const paths = [
    '/threads',
    '/threads/told',
    '/threads/told?tab=instructions',
    '/jobs?tab=parked',
    '/settings/keys',
    '/settings/audit',
  ];
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const path of paths) {
      await rig.visit(page, path);
      await page.evaluate('document.activeElement.blur()');
      expect([size.width, path, await hiddenStops(page)]).toEqual([size.width, path, []]);
    }
  }
});

test('a message that gets the focus stays on screen while rows above it are drawn', async () => {
  const { messages } = loadFolder('samples').find(({ name }) => name === 'release-review')!;
  await api.createThread({ id: 'tall', policy: { context: { context_window: 1_000_000 } } });
  for (let i = 0; i < messages.length; i += 10) await api.append('tall', ...messages.slice(i, i + 10));
  const onScreen = () =>
    until('it is on screen', async () => {
      const top = await page.evaluate<number>('document.activeElement.getBoundingClientRect().top');
      return top > 0 && top < 900;
    });
  const cdp = await page.context().newCDPSession(page);
  // On a slow machine the message is pushed away before the page hears that it was on screen.
  for (const rate of [1, 3, 3, 1]) {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate });
    await rig.visit(page, '/threads/tall');
    await page.getByRole('article', { name: `Message ${messages.length}` }).waitFor();
    await page.getByRole('group', { name: /^Messages\. Keys/ }).focus();
    await page.keyboard.press('Tab');
    await page.waitForTimeout(700);
    expect(await focused()).toMatch(/^A: \d+$/);
    await onScreen();
  }
  // Messages that are loaded late, and more of them in the frame in which the message is brought back.
  await page.evaluate(`(() => {
    const { activeElement: message } = document;
    const push = () => message.closest('[role=group]').prepend(
      Object.assign(document.createElement('div'), { style: 'height: 3000px; overflow-anchor: none' }));
    message.scrollIntoView = (how) => {
      delete message.scrollIntoView;
      message.scrollIntoView(how);
      queueMicrotask(push);
    };
    push();
  })()`);
  await until('it was pushed away twice', () =>
    page.evaluate(`!Object.hasOwn(document.activeElement, 'scrollIntoView')`),
  );
  await page.waitForTimeout(300);
  await onScreen();
});
