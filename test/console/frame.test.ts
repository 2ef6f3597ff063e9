// @module-tag long
import { apiOf, signIn, until } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  expectWellMade,
  borrowedConsoleRig,
  untilListening,
  violations,
  type ConsoleRig,
} from './console-rig.js';

let rig: ConsoleRig;
let page: Page;
let complaints: string[];
let outputId: string;
beforeAll(async () => {
  rig = await borrowedConsoleRig();
  const api = apiOf(rig.stack);
  const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } };
  for (const id of ['alpha-1', 'alpha-2', 'beta-1'])
    await api.append(
      id,
      ...['one', 'two', 'three'].map((content) => ({ role: 'user', content: `${id} ${content}` })),
    );
  const posted = await api.append(
    'with-output',
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'word '.repeat(20_000) },
  );
  outputId = posted.messages[1]!.output!.id;
});
afterAll(() => rig?.stop());

beforeEach(async () => {
  ({ page, complaints } = await rig.open());
  await rig.signIn(page);
  await rig.visit(page, '/threads');
  await page.getByText('alpha-1').first().waitFor();
});
afterEach(() => rig.close(page));

test('a tab has a title all the way from page to page', async () => {
  await page.evaluate(`(() => {
    globalThis.titles = [document.title];
    const look = () => titles.at(-1) === document.title || titles.push(document.title);
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  })()`);
  const ways = ['Jobs', 'Outputs', 'Threads', 'alpha-1'];
  for (const name of ways) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await until('the next title', async () => (await page.title()) === `${name} · Spillway`);
  }
  expect(await page.evaluate('titles')).toEqual(['Threads', ...ways].map((name) => `${name} · Spillway`));
});

const palette = () => page.getByRole('textbox', { name: /go to a page/i });
async function find(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette().fill(text);
}
const action = (name: RegExp) => page.getByRole('button', { name });

test('the palette goes to a page, a thread by part of its id, a message and an output', async () => {
  await find('jobs');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/jobs');
  await find('pha-2');
  await action(/alpha-2/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/threads/alpha-2');
  await find('beta-1#2');
  await action(/Message 2 of beta-1/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/threads/beta-1?seq=2');
  await find(outputId);
  await action(/Open this output/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/outputs/${outputId}`);
  await page.keyboard.press('Control+k');
  // Nothing is typed: what was open last is offered.
  await action(/^beta-1$/).click();
  await page.waitForURL('**/threads/beta-1');
  expect(complaints).toEqual([]);
});

test('the palette opens nothing that was found for a text that has changed since', async () => {
  const asked = Promise.withResolvers<void>();
  await page.route(/\/threads\?.*q=beta-1/, async (route) => {
    await asked.promise;
    await route.continue();
  });
  await find('pha-2');
  await action(/^alpha-2/).waitFor();
  await palette().press('Control+a');
  await Promise.all([page.keyboard.insertText('beta-1'), page.keyboard.press('Enter')]);
  await page.waitForTimeout(500);
  expect(new URL(page.url()).pathname).toBe('/threads');
  await page.getByText('Searching', { exact: true }).waitFor();
  asked.resolve();
  await action(/^beta-1/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/threads/beta-1');
});

test('the palette opens from within a field, changes the theme and says when it finds nothing', async () => {
  await page.getByRole('textbox', { name: /search threads/i }).focus();
  await find('dark theme');
  await page.keyboard.press('Enter');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
  expect(await violations(page)).toEqual([]);
  await find('webhooks');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/webhooks');
  await find('zz');
  await page.getByText('No results. Try part of a thread ID.').waitFor();
  await palette().fill('zzz-nothing');
  await action(/Search all messages for “zzz-nothing”/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=zzz-nothing');
});

describe('over plain HTTP, where a browser has no clipboard', () => {
  let plain: string;
  beforeEach(async () => {
    // The same console, under an address that is not local for a browser.
    plain = rig.site.url.replace('127.0.0.1', '0.0.0.0');
    // A test before this one may have had its context, and who is signed in is led on from the form.
    await page.context().clearCookies({ domain: '0.0.0.0' });
    await signIn(page, plain, rig.stack.key);
    await rig.visit(page, `${plain}/threads/alpha-1`);
    expect(await page.evaluate('isSecureContext || "clipboard" in navigator')).toBe(false);
  });

  /** The text of the clipboard, as somebody gets it who pastes it. */
  async function pasted(): Promise<string> {
    await page.keyboard.press('Control+k');
    await palette().press('Control+a');
    await palette().press('Control+v');
    const text = await palette().inputValue();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    return text;
  }

  test('texts and links are copied, in a dialog as well', async () => {
    await page.getByRole('button', { name: 'Copy the id' }).click();
    expect(await pasted()).toBe('alpha-1');
    await page.getByRole('button', { name: 'Copy a link to message 2' }).click();
    await page.getByText('It leads to message 2.').waitFor();
    expect(await pasted()).toBe(`${plain}/threads/alpha-1?seq=2`);
    await find('copy link');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: '/threads/alpha-1' }).waitFor();
    expect(await pasted()).toBe(`${plain}/threads/alpha-1`);
    const dialog = page.getByRole('dialog');
    await rig.visit(page, `${plain}/settings/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('copied');
    await page.keyboard.press('Enter');
    const key = await page.getByTestId('shown-once').innerText();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Copy the key');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await pasted()).toBe(key);
    expect(complaints.filter((text) => !text.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
  });

  test('a browser that copies nothing is said not to allow it, with what to do', async () => {
    await page.evaluate('document.execCommand = () => false');
    await page.getByRole('button', { name: 'Copy the id' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'Not copied' });
    await note
      .getByText(
        `The browser does not allow copying at ${plain}. Open the console over https or at localhost.`,
      )
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await find('copy link');
    await page.keyboard.press('Enter');
    await note.waitFor();
    const link = page.getByRole('alert').filter({ hasText: 'Link to copy' });
    await link.getByText(`${plain}/threads/alpha-1`, { exact: true }).waitFor();
    expect(await page.getByText('The API does not answer').count()).toBe(0);
    expect(complaints.filter((text) => !text.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
  });
});

test('signing out from the palette ends the session', async () => {
  // The session of the other tests goes on.
  await rig.close(page);
  ({ page, complaints } = await rig.open());
  await rig.enterKey(page);
  // This page asks for nothing by itself, so nothing is refused while the session ends.
  await rig.visit(page, '/settings/keys');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const isSignedIn = async () => {
    const answer = await fetch(`${rig.site.url}/session`, { headers: { cookie } });
    return ((await answer.json()) as { signed_in: boolean }).signed_in;
  };
  const headers = { cookie, 'sec-fetch-site': 'cross-site' };
  expect((await fetch(`${rig.site.url}/session`, { method: 'DELETE', headers })).status).toBe(403);
  expect(await isSignedIn()).toBe(true);
  await find('sign out');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  // A cookie copied before is worthless as soon as each process of the API knows.
  await until('the copied cookie is worthless', async () => !(await isSignedIn()));
  await page.goto(`${rig.site.url}/threads`);
  await page.waitForURL('**/login**');
  expect(complaints).toEqual([]);
});

test('somebody whose key is revoked meanwhile is told so, and comes back to the page after signing in', async () => {
  const api = apiOf(rig.stack);
  const { body } = await api.call<{ id: string; key: string }>('POST', '/v1/keys', {
    name: 'visitor',
    scopes: ['context:read'],
  });
  await rig.close(page);
  ({ page, complaints } = await rig.open());
  await page.goto(`${rig.site.url}/threads?state=idle`);
  await page.getByRole('textbox').waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);
  await rig.enterKey(page, body.key);
  await api.call('DELETE', `/v1/keys/${body.id}`);
  await until('the API refuses the session', async () => {
    const answer = await page.request.get(`${rig.site.url}/api/v1/threads`);
    return answer.status() === 401;
  });
  // Part of the page is sent before the API answers, so the redirect comes after the page has loaded.
  await page.goto(`${rig.site.url}/threads?state=idle`);
  await page.waitForURL('**/login**');
  await page.getByText('Your session has ended: it expired, or its key was revoked.').waitFor();
  await page.locator('input:visible').first().fill(rig.stack.key);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/threads?state=idle');
});

test('a page that asks for data while its session is being ended does not bring the user back to it', async () => {
  await rig.close(page);
  const opened = await rig.open();
  page = opened.page;
  await rig.enterKey(page);
  await rig.visit(page, '/threads');
  await page.getByText('alpha-1').first().waitFor();
  // The API has ended the session; the browser does not know it yet.
  await page.route('**/session', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    const response = await route.fetch();
    await until('a request is refused', async () => {
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      return opened.refusals.some((path) => path.startsWith('/api/'));
    });
    await page.waitForTimeout(500);
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await page.getByRole('textbox').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

/** Pressed one right after the other, however long the page takes to hear of the first. */
const pressBoth = (first: string, second: string) =>
  Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);

test('g and a letter go to a place, on a page that is busy between the two as well', async () => {
  await pressBoth('g', 'j');
  await page.waitForURL('**/jobs');
  await page.evaluate(`document.addEventListener('keydown', () => {
    for (const end = Date.now() + 2_000; Date.now() < end; );
  }, { once: true })`);
  await pressBoth('g', 'u');
  await page.waitForURL('**/outputs');
  expect(complaints).toEqual([]);
});

test('? lists every key of the page', async () => {
  await pressBoth('g', 't');
  await page.waitForURL('**/threads');
  await page.getByText('alpha-1').first().waitFor();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog');
  for (const name of ['Everywhere', 'Threads', 'Filters'])
    await sheet.getByRole('region', { name }).waitFor();
  await sheet.getByText('Go to outputs').waitFor();
  await page.waitForTimeout(400);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('single keys are text inside a field, and can be switched off for good', async () => {
  const box = page.getByRole('textbox', { name: /search threads/i });
  await box.focus();
  await page.keyboard.type('g j?');
  expect(await box.inputValue()).toBe('g j?');
  // The list follows its field a little later, and a page that is loaded again has what the address says.
  const inAddress = () => new URL(page.url()).searchParams.get('q');
  await expect.poll(inAddress).toBe('g j?');
  expect(page.url()).toContain('/threads');
  await box.fill('');
  await expect.poll(inAddress).toBe(null);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('switch', { name: /single keys/i }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await untilListening(page);
  await page.getByText('alpha-1').first().waitFor();
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.waitForTimeout(500);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(page.url()).toContain('/threads');
  // Nor do they act in a view that has the focus.
  await rig.visit(page, '/threads/alpha-1');
  await page.getByRole('group', { name: /^Messages\. Keys/ }).focus();
  await page.keyboard.press('k');
  await page.waitForTimeout(500);
  expect(await page.locator('article[data-selected="true"]').count()).toBe(0);
  await rig.visit(page, '/threads');
  await page.getByText('alpha-1').first().waitFor();
  // The arrows are no single characters, and the palette needs Ctrl: both stay.
  await page.keyboard.press('ArrowDown');
  await page.locator('[aria-selected="true"]').waitFor();
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('switch', { name: /single keys/i }).click();
  await page.keyboard.press('Escape');
});

test('what is typed into a search stays while its list follows, and follows the address that leads elsewhere', async () => {
  const box = page.getByRole('textbox', { name: /search threads/i });
  const follows = (q: string) => page.waitForURL((url) => url.searchParams.get('q') === q);
  await box.focus();
  await page.keyboard.type('alpha ');
  await follows('alpha');
  await page.getByText('beta-1').first().waitFor({ state: 'hidden' });
  await page.keyboard.type('-');
  expect(await box.inputValue()).toBe('alpha -');
  await follows('alpha -');
  await page.getByRole('navigation').getByRole('link', { name: 'Threads' }).click();
  await until('the field follows', async () => (await box.inputValue()) === '');
});

test('the navigation says where one is, beside the page and at the bottom of a phone', async () => {
  for (const [path, label] of [
    ['/threads', 'Threads'],
    ['/outputs', 'Outputs'],
    ['/jobs', 'Jobs'],
    [`/outputs/${outputId}`, 'Outputs'],
  ]) {
    await page.goto(rig.site.url + path);
    expect(await page.locator('nav[aria-label="Main"] [aria-current="page"]').textContent()).toBe(label);
  }
  const phone = await rig.open({ width: 390, height: 844 });
  await rig.signIn(phone.page);
  await phone.page.goto(`${rig.site.url}/threads`);
  await expectWellMade(phone.page, /alpha-1/, phone.complaints);
  const bar = await phone.page.getByRole('navigation', { name: 'Main' }).boundingBox();
  expect(bar!.y).toBeGreaterThan(780);
  expect(bar!.width).toBe(390);
  await phone.page.getByRole('button', { name: 'Search' }).click();
  await phone.page.getByRole('textbox', { name: /go to a page/i }).fill('outputs');
  await phone.page.keyboard.press('Enter');
  await phone.page.waitForURL('**/outputs');
  await rig.close(phone.page);
});

test('a path that does not exist is a page that says so, to a browser and to a navigation within the console', async () => {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  // What the router of the browser sends with a navigation.
  const at = ['', { children: ['threads', { children: ['__PAGE__', {}] }] }, null, null, 16];
  const rsc = { cookie, rsc: '1' };
  const navigation = { ...rsc, 'next-router-state-tree': encodeURIComponent(JSON.stringify(at)) };
  const prefetch = { ...rsc, 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' };
  for (const headers of [{ cookie }, rsc, navigation, prefetch]) {
    for (const path of ['/nope', '/nope/deeper', '/threads/alpha-1/nope', '/outputs/x/y']) {
      const answer = await fetch(`${rig.site.url}${path}?_rsc=abc`, { headers });
      await answer.text();
      expect([path, answer.status]).toEqual([path, 404]);
    }
  }
  expect((await fetch(`${rig.site.url}/threads/%E0%A4%A`, { headers: { cookie } })).status).toBe(400);
  await page.goto(`${rig.site.url}/nope`);
  await page.getByText('There is no such page').waitFor();
  expect(await violations(page)).toEqual([]);
});
