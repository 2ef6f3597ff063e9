import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  apiOf,
  launchBrowser,
  loadFolder,
  startConsole,
  startStack,
  until,
  type AppProcess,
  type Stack,
} from '@spillway/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let stack: Stack;
let site: AppProcess;
let browser: Browser;
let page: Page;
let outputId: string;
let withOutputs: string;
const complaints: string[] = [];

beforeAll(async () => {
  stack = await startStack();
  site = await startConsole(stack.url);
  browser = await launchBrowser();
  await writeThreads();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await site?.kill();
  await stack?.stop();
});

/** The repository's own recorded threads, compacted, and one that is parked. */
async function writeThreads(): Promise<void> {
  const api = apiOf(stack);
  for (const { name, messages } of loadFolder('samples')) {
    await api.createThread({ id: name, policy: { context: { context_window: 16_000 } } });
    for (let i = 0; i < messages.length; i += 10) await api.append(name, ...messages.slice(i, i + 10));
    const outputs = await api.call<{ data: { id: string; bytes: number }[] }>(
      'GET',
      `/v1/threads/${name}/outputs`,
    );
    const largest = outputs.body.data.sort((a, b) => b.bytes - a.bytes)[0];
    if (largest) [outputId, withOutputs] = [largest.id, name];
  }
  const parked = {
    id: 'parked',
    system: 'word '.repeat(6_000),
    policy: { context: { context_window: 8_000 } },
  };
  await api.createThread(parked);
  await api.append('parked', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('parked')).compaction.state === 'parked');
}

beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(8_000);
  page = await context.newPage();
  complaints.length = 0;
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(() => page.context().close());

async function signIn(): Promise<void> {
  await page.goto(`${site.url}/login`);
  await page.locator('input:visible').first().fill(stack.key);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/threads');
}

test('a wrong key is refused in words, a good one is kept out of the reach of the page', async () => {
  await page.goto(`${site.url}/threads`);
  await page.waitForURL('**/login**');
  await page.locator('input:visible').first().fill('sw_wrong_0123456789');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').first().waitFor();
  await signIn();
  const cookies = await page.context().cookies();
  expect(cookies.every((cookie) => cookie.httpOnly && cookie.sameSite === 'Strict')).toBe(true);
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.content()).not.toContain(stack.key);
});

describe('every page, on real threads', () => {
  const longest = loadFolder('samples').sort((a, b) => b.messages.length - a.messages.length)[0]!.name;
  const thread = `/threads/${longest}`;
  test.each([
    ['threads', () => '/threads', longest],
    ['messages', () => thread, 'Generation'],
    ['summaries', () => `${thread}?tab=summaries`, 'Task overview'],
    ['context', () => `${thread}?tab=context`, 'conversation_summary'],
    ['compactions', () => `${thread}?tab=compactions`, 'compacted'],
    ['outputs', () => `/threads/${withOutputs}?tab=outputs`, ' KB'],
    ['output', () => `/outputs/${outputId}`, 'SHA-256'],
    ['jobs', () => '/jobs', 'parked'],
  ])('%s', async (_name, path, text) => {
    await signIn();
    await page.goto(site.url + path());
    await page.getByText(new RegExp(text, 'i')).first().waitFor();
    await page.waitForTimeout(300);
    await page.evaluate(axe);
    const found = await page.evaluate<{ violations: { id: string; impact: string }[] }>(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })`,
    );
    const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id }) => id)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('scripts run by nonce only, and no page may be framed', async () => {
  const answer = await fetch(`${site.url}/login`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(/script-src ([^;]*)/.exec(policy)![1]).not.toContain('unsafe-inline');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
});

test('a parked thread is retried from the jobs page', async () => {
  await signIn();
  await page.goto(`${site.url}/jobs`);
  await page.getByRole('button', { name: /retry/i }).first().click();
  const api = apiOf(stack);
  await until('it was looked at again', async () => (await api.compactions('parked')).length > 1);
});
