import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  apiOf,
  launchBrowser,
  loadFolder,
  sharedBrowser,
  signIn,
  startConsole,
  startStack,
  until,
  type Api,
  type Stack,
  type StackOptions,
} from '@spillway/testing';
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { borrowedConsole, borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A whole Spillway with its console, and a browser in front of it. */
export interface ConsoleRig<S extends BorrowedStack = BorrowedStack> {
  stack: S;
  site: { url: string };
  browser: Browser;
  /** A page of a browser that remembers nothing. To be closed with `close` after its test. `complaints` gathers what its console says is wrong, `refusals` the paths that were answered with an error. */
  open(size?: {
    width: number;
    height: number;
  }): Promise<{ page: Page; complaints: string[]; refusals: string[] }>;
  close(page: Page): Promise<void>;
  /** Enters a key at the door, as a person does; the project's admin key without one. */
  enterKey(page: Page, key?: string): Promise<void>;
  /** Gives a page the session of a person who entered the project's admin key; it goes nowhere. */
  signIn(page: Page): Promise<void>;
  /** Goes to a page of the console, by its path or its URL, and waits until it listens. */
  visit(page: Page, path: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * For files that look at their own project alone: stack and console are those of others too, and the browser as well,
 * unless frames are counted: all pages of one browser are drawn by one process.
 */
export async function borrowedConsoleRig({ ownBrowser = false } = {}): Promise<ConsoleRig> {
  const [stack, site, browser] = await Promise.all([
    borrowedStack('whole'),
    borrowedConsole(),
    ownBrowser ? launchBrowser() : sharedBrowser(),
  ]);
  return rigOf({ stack, site, browser, stop: () => (ownBrowser ? browser.close() : Promise.resolve()) });
}

/** For all others. */
export async function startConsoleRig(options: StackOptions = {}): Promise<ConsoleRig<Stack>> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const stack = await startStack(options);
    undo.push(() => stack.stop());
    const site = await startConsole(stack.url);
    undo.push(() => site.kill());
    const browser = await launchBrowser();
    undo.push(() => browser.close());
    return rigOf({ stack, site, browser, stop });
  } catch (error) {
    // What runs already would outlive the test file.
    await stop();
    throw error;
  }
}

/**
 * On a busy machine Chromium 150 never closed one in about ten pages that were asked to while they went to another
 * address. Closing the whole context of such a page took 31 ms.
 */
const pageClosesWithinMs = 10_000;

function rigOf<S extends BorrowedStack>(
  parts: Pick<ConsoleRig<S>, 'stack' | 'site' | 'browser' | 'stop'>,
): ConsoleRig<S> {
  const { stack, site, browser } = parts;
  let session: Cookie[] | undefined;
  // A context whose pages are closed is used again without what they stored: it has the console's code compiled.
  const contexts = new Set<BrowserContext>();
  const newContext = async () => {
    // A dialog that fades in has too little contrast on its way, and a test would meet it there.
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    contexts.add(context);
    return context;
  };
  const enterKey = (page: Page, key = stack.key) => signIn(page, site.url, key);
  const visit = async (page: Page, path: string) => {
    await page.goto(new URL(path, site.url).href);
    await untilListening(page);
  };
  return {
    ...parts,
    open: async (viewport = { width: 1440, height: 900 }) => {
      const context = [...contexts].find((one) => one.pages().length === 0) ?? (await newContext());
      // Ends what hangs, and measures nothing: a busy machine takes seconds for a page.
      context.setDefaultTimeout(60_000);
      await context.clearPermissions();
      const page = await context.newPage();
      await page.setViewportSize(viewport);
      const storageTypes = 'cookies,local_storage';
      const cdp = await context.newCDPSession(page);
      await cdp.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes });
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      const refusals: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refusals.push(new URL(response.url()).pathname);
      });
      return { page, complaints, refusals };
    },
    close: async (page) => {
      const closed = page.close().then(() => true);
      if (await Promise.race([closed, sleep(pageClosesWithinMs, false, { ref: false })])) return;
      const context = page.context();
      contexts.delete(context);
      await context.close();
    },
    enterKey,
    signIn: async (page) => {
      if (session) return page.context().addCookies(session);
      await enterKey(page);
      session = await page.context().cookies();
    },
    visit,
    stop: async () => {
      await Promise.all([...contexts].map((context) => context.close()));
      await parts.stop();
    },
  };
}

/** What a test of a signed-in page uses. */
interface SignedIn extends Awaited<ReturnType<ConsoleRig['open']>> {
  rig: ConsoleRig;
  api: Api;
}

/**
 * Opens a page with a session for each test of a file, and closes it afterwards. `take` gets it before the test. The
 * rig is borrowed, unless the file starts its own.
 */
export function signedInPage(
  take: (given: SignedIn) => void,
  { makeRig = borrowedConsoleRig, size }: SignedInOptions = {},
): void {
  let rig: ConsoleRig | undefined;
  let page: Page | undefined;
  beforeAll(async () => {
    rig = await makeRig();
  });
  afterAll(() => rig?.stop());
  beforeEach(async () => {
    const opened = await rig!.open(size);
    ({ page } = opened);
    await rig!.signIn(page);
    take({ rig: rig!, api: apiOf(rig!.stack), ...opened });
  });
  afterEach(() => page && rig!.close(page));
}

interface SignedInOptions {
  makeRig?: () => Promise<ConsoleRig>;
  size?: { width: number; height: number };
}

/**
 * Waits until a page listens: what is pressed before that is lost. What the server streams arrives in hidden
 * elements ("S:0", "S:1") and may stand there beside what the browser made of it until React takes it away.
 */
export async function untilListening(page: Page): Promise<void> {
  const listens = `(() => {
    const nodes = [...document.querySelectorAll('#content :is(button, a, h1, h2, p, td)')];
    const listens = (node) => Object.keys(node).some((key) => key.startsWith('__reactProps'));
    const arriving = document.querySelector('[hidden][id^="S:"]');
    return arriving === null && nodes.length > 0 && nodes.every(listens);
  })()`;
  await until('the page listens', () => page.evaluate<boolean>(listens).catch(() => false));
}

/** Serious and critical violations of WCAG 2.2 A and AA on the page as it stands, each with its elements. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })`,
  );
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** Waits until nothing of the page has changed for 300 ms: rows that are still being measured overlap. 5 s at most. */
const untilAtRest = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    let quiet;
    const done = () => { seen.disconnect(); resolve(); };
    const wait = () => { clearTimeout(quiet); quiet = setTimeout(done, 300); };
    const seen = new MutationObserver(wait);
    seen.observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
    setTimeout(done, 5_000);
    wait();
  })`);

/** Waits for a text, then holds the page to what every page must be. */
export async function expectWellMade(page: Page, text: RegExp, complaints: string[]): Promise<void> {
  await page.getByText(text).first().waitFor();
  await untilAtRest(page);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

/** The parts of a page that reach beyond its right edge, with the pixels by which they do. A table may scroll in a part of its own. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('#content, #content > *, #content header')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.tagName + ' ' + part.className + ': ' + (part.scrollWidth - part.clientWidth))`);

/** The repository's own recorded threads, each in a window small enough to be compacted. */
export async function writeSamples(stack: BorrowedStack, window = 16_000): Promise<void> {
  const api = apiOf(stack);
  for (const { name, messages } of loadFolder('samples')) {
    await api.createThread({ id: name, policy: { context: { context_window: window } } });
    for (let i = 0; i < messages.length; i += 10) await api.append(name, ...messages.slice(i, i + 10));
  }
}
