// @module-tag long
import { apiOf, until, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { signedInPage, untilListening, type ConsoleRig } from '../console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
/** How often the browser asked whether to leave the page. */
let asked: number;

signedInPage((given) => ({ rig, api, page } = given));
beforeEach(() => {
  asked = 0;
  page.on('dialog', (dialog) => {
    asked++;
    void dialog.accept();
  });
});

const field = () => page.getByLabel('New instruction');
const text = 'Answer in German, and';

/** Begins to type an instruction for a thread. */
async function begin(): Promise<void> {
  await api.createThread({ id: 'half' });
  const session = page.waitForResponse((answer) => answer.url().endsWith('/v1/sessions/current'));
  await rig.visit(page, '/threads/half?tab=instructions');
  await session;
  await field().pressSequentially(text);
}

/** The next request is refused. */
const endSession = () => page.context().clearCookies();

const ends = {
  'on a request': async () => {
    await endSession();
    await page.getByRole('tab', { name: 'Outputs' }).click();
  },
  'on a link': async () => {
    await endSession();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  },
};

async function signInAgain(key: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in to Spillway' }).waitFor();
  await untilSignInListens();
  await page.getByRole('textbox').fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname !== '/login');
}

/** What is typed before would be lost. */
const untilSignInListens = () =>
  until('the sign-in page listens', () =>
    page.evaluate<boolean>(
      `Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__reactProps'))`,
    ),
  );

/** Goes to the tab within the same document. */
async function openTab(): Promise<void> {
  await untilListening(page);
  if (!page.url().includes('/threads/half')) {
    await page.getByRole('link', { name: 'Threads', exact: true }).click();
    await page.getByRole('link', { name: 'half', exact: true }).click();
  }
  await page.getByRole('tab', { name: 'Instructions' }).click();
  await field().waitFor();
}

const stored = () => page.evaluate<number>('window.sessionStorage.length');

test.each(Object.entries(ends))(
  'an instruction that is half typed when the session ends %s is there after signing in again, and nobody is asked',
  async (_, end) => {
    await begin();
    await end();
    await signInAgain(rig.stack.key);
    await openTab();
    await expect.poll(() => field().inputValue()).toBe(text);
    expect(asked).toBe(0);
    expect(await stored()).toBe(0);
  },
);

test('so is one that was typed before the page knew whose session it is', async () => {
  await api.createThread({ id: 'half' });
  let typed!: () => void;
  const wait = new Promise<void>((resolve) => (typed = resolve));
  await page.route('**/v1/sessions/current', (route) => wait.then(() => route.continue()));
  await rig.visit(page, '/threads/half?tab=instructions');
  await field().pressSequentially(text);
  const session = page.waitForResponse((answer) => answer.url().endsWith('/v1/sessions/current'));
  typed();
  await (await session).finished();
  await ends['on a link']();
  await signInAgain(rig.stack.key);
  await openTab();
  await expect.poll(() => field().inputValue()).toBe(text);
});

test('A119 an instruction that was half typed when the session ended is dropped when another person signs in', async () => {
  const key = await rig.stack.addProject(`other-${Date.now()}`);
  await apiOf({ url: rig.stack.url, key }).createThread({ id: 'half' });
  for (const end of Object.values(ends)) {
    await begin();
    await end();
    await signInAgain(key);
    await openTab();
    await expect.poll(stored).toBe(0);
    expect(await field().inputValue()).toBe('');
    await ends['on a link']();
    await signInAgain(rig.stack.key);
    await openTab();
    expect(await field().inputValue()).toBe('');
  }
});

test('A119 an instruction that was half typed is dropped by signing out, after being asked', async () => {
  await begin();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAgain(rig.stack.key);
  await openTab();
  expect(await field().inputValue()).toBe('');
  expect(asked).toBe(1);
  expect(await stored()).toBe(0);
});
