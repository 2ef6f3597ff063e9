import { apiOf, loadFolder, until } from '@spillway/testing';
import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectWellMade, borrowedConsoleRig, writeSamples, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let page: Page;
let complaints: string[];
let outputId: string;
let withOutputs: string;

beforeAll(async () => {
  rig = await borrowedConsoleRig();
  await writeThreads();
});
afterAll(() => rig?.stop());

/** The recorded threads, compacted, and one that is parked. */
async function writeThreads(): Promise<void> {
  const api = apiOf(rig.stack);
  await writeSamples(rig.stack);
  for (const { name } of loadFolder('samples')) {
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

let isOpen = false;
/** Opens the page of a test. One that only fetches opens none. */
async function openPage(): Promise<void> {
  ({ page, complaints } = await rig.open());
  isOpen = true;
}
async function openSignedIn(): Promise<void> {
  await openPage();
  await rig.signIn(page);
}
afterEach(async () => {
  if (isOpen) await rig.close(page);
  isOpen = false;
});

test('a wrong key is refused in words, a good one is kept out of the reach of the page', async () => {
  await openPage();
  await page.goto(`${rig.site.url}/threads`);
  await page.waitForURL('**/login**');
  await page.locator('input:visible').first().fill('sw_wrong_0123456789');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').first().waitFor();
  await rig.enterKey(page);
  const cookies = await page.context().cookies();
  expect(cookies.every((cookie) => cookie.httpOnly && cookie.sameSite === 'Strict')).toBe(true);
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.content()).not.toContain(rig.stack.key);
});

const longest = loadFolder('samples').sort((a, b) => b.messages.length - a.messages.length)[0]!.name;
const thread = `/threads/${longest}`;

const tabOfThread = (tab: string) => () => `${thread}?tab=${tab}`;

/** Each page in apps/console/app with a text that it shows; a thread with each of its tabs. */
const pages: [page: string, text: string, path: () => string][] = [
  ['/', 'Tokens saved', () => '/'],
  ['/threads', longest, () => '/threads'],
  ['/threads/[id]', 'Generation', () => thread],
  ['/threads/[id]', 'Task overview', tabOfThread('summaries')],
  ['/threads/[id]', 'conversation_summary', tabOfThread('context')],
  ['/threads/[id]', 'at the head of every summary', tabOfThread('instructions')],
  ['/threads/[id]', 'compacted', tabOfThread('compactions')],
  ['/threads/[id]', ' KB', () => `/threads/${withOutputs}?tab=outputs`],
  ['/threads/[id]', 'A thread token opens', tabOfThread('access')],
  ['/search', 'SPW-151', () => '/search?q=SPW-151'],
  ['/outputs', ' KB', () => '/outputs'],
  ['/outputs/[id]', 'SHA-256', () => `/outputs/${outputId}`],
  ['/jobs', 'parked', () => '/jobs'],
  ['/settings', 'Preset', () => '/settings'],
  ['/settings/policy', 'Preset', () => '/settings/policy'],
  ['/settings/keys', 'Scopes', () => '/settings/keys'],
  ['/settings/webhooks', 'No webhooks yet', () => '/settings/webhooks'],
  ['/settings/models', 'gpt-4o', () => '/settings/models'],
  ['/settings/upstreams', 'Anthropic', () => '/settings/upstreams'],
  ['/settings/audit', '^Signed in$', () => '/settings/audit'],
  ['/settings/system', 'Postgres', () => '/settings/system'],
];

describe('every page, on real threads', () => {
  test('is in the table', () => {
    const inApp = readdirSync('apps/console/app', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('page.tsx'))
      .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`)
      // Only without a session: the first test opens it.
      .filter((path) => path !== '/login');
    expect([...new Set(pages.map(([name]) => name))].sort()).toEqual(inApp.sort());
  });

  test.each(pages)('%s shows %s', async (_name, text, path) => {
    await openSignedIn();
    await page.goto(rig.site.url + path());
    await expectWellMade(page, new RegExp(text, 'i'), complaints);
  });
});

// Nothing above the pages asks for a session: each page does.
test.each([...new Map(pages.map(([name, , path]) => [name, path]))])(
  '%s redirects a visitor without a session to the sign-in page',
  async (_name, path) => {
    const answer = await fetch(rig.site.url + path(), { redirect: 'manual' });
    expect(answer.status).toBe(307);
    expect(answer.headers.get('location')).toMatch(/^\/login\?/);
  },
);

test(
  'the count of dropped facts leads to their panel, whose head says what facts are',
  { tags: 'long' },
  async () => {
    await openSignedIn();
    await page.goto(`${rig.site.url}${thread}?tab=summaries`);
    await page.getByRole('link', { name: /^\d+ of \d+ facts dropped$/ }).click();
    const panel = page.getByRole('region', { name: 'Facts check' });
    expect(await panel.innerText()).toMatch(
      /Facts are the paths, ids[^]*dropped\s+The model no longer sees it/,
    );
    const heading = panel.getByRole('heading', { name: 'Facts check' });
    const pageHead = page.getByRole('button', { name: 'Quarantine' });
    const [shown, above] = [(await heading.boundingBox())!, (await pageHead.boundingBox())!];
    expect(shown.y).toBeGreaterThan(above.y + above.height);
  },
);

test('scripts run by nonce only, and no page may be framed', async () => {
  const answer = await fetch(`${rig.site.url}/login`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(/script-src ([^;]*)/.exec(policy)![1]).not.toContain('unsafe-inline');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
});

test('Enter in the palette opens the thread that is found, and searches all messages where nothing is', async () => {
  await openSignedIn();
  await rig.visit(page, '/jobs');
  const type = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: /go to a page/i }).fill(text);
  };
  await type('late-tr');
  await page.getByRole('button', { name: /^late-trigger/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/threads/late-trigger');
  await type('reproducible');
  await page.getByRole('button', { name: /^Search all messages for/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=reproducible');
  expect(complaints).toEqual([]);
});

test('a parked thread is retried from the jobs page', async () => {
  await openSignedIn();
  await page.goto(`${rig.site.url}/jobs?tab=parked`);
  await page.getByRole('button', { name: 'Retry', exact: true }).first().click();
  const api = apiOf(rig.stack);
  const attempts = await until('it was looked at again', async () => {
    const found = await api.compactions('parked');
    return found.length > 1 && found;
  });
  expect(attempts.length).toBeGreaterThan(1);
});

test(
  'standing instructions are read, added, dismissed and approved on their tab',
  { tags: 'long' },
  async () => {
    const api = apiOf(rig.stack);
    await api.createThread({ id: 'instructed' });
    await api.append('instructed', { role: 'user', content: 'The build is red. Never push to main.' });
    await openSignedIn();
    await page.goto(`${rig.site.url}/threads/instructed?tab=instructions`);
    await page.getByText('Never push to main.', { exact: true }).waitFor();
    await page.getByLabel('New instruction').fill('Mention the ticket in every commit.');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('added by a person').waitFor();
    await page.getByRole('button', { name: 'Dismiss: Never push to main.' }).click();
    await page.getByRole('cell', { name: 'dismissed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Approve: Never push to main.' }).click();
    await page.getByRole('button', { name: 'Approve: Never push to main.' }).waitFor({ state: 'detached' });
    const { body } = await api.call<{ data: { text: string; approved: boolean }[] }>(
      'GET',
      '/v1/threads/instructed/instructions',
    );
    expect(body.data.map(({ text, approved }) => [text, approved]).sort()).toEqual([
      ['Mention the ticket in every commit.', true],
      ['Never push to main.', true],
    ]);
    await expectWellMade(page, /at the head of every summary/, complaints);
  },
);

test(
  'what may be an instruction is listed below them, approved and dismissed',
  { tags: 'long' },
  async () => {
    const api = apiOf(rig.stack);
    await api.createThread({ id: 'maybe' });
    await api.append('maybe', {
      role: 'user',
      content: 'The garden gate stays open. The owner is the platform group. Never push to main.',
    });
    await openSignedIn();
    await page.goto(`${rig.site.url}/threads/maybe?tab=instructions`);
    const section = page.getByRole('region', { name: 'May be instructions' });
    await section.getByRole('cell', { name: 'The owner is the platform group.', exact: true }).waitFor();
    expect(await section.getByRole('cell', { name: 'possible', exact: true }).count()).toBe(2);
    await expectWellMade(page, /They bind nothing/, complaints);
    await page.getByRole('button', { name: 'Approve: The garden gate stays open.' }).click();
    await page.getByRole('cell', { name: 'active, approved', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Dismiss: The owner is the platform group.' }).click();
    await section.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'dismissed', exact: true }).waitFor();
    const { body } = await api.call<{ data: { text: string; state: string }[] }>(
      'GET',
      '/v1/threads/maybe/instructions',
    );
    expect(body.data.map(({ text, state }) => [text, state])).toEqual([
      ['Never push to main.', 'active'],
      ['The owner is the platform group.', 'dismissed'],
      ['The garden gate stays open.', 'active'],
    ]);
  },
);
