// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cutOff, expectWellMade, borrowedConsoleRig, violations, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let page: Page;
let complaints: string[];
let log: string;
let wide: string;
let gone: string;
let code: string;

const lines = 60_000;
const logText = Array.from({ length: lines }, (_, i) =>
  (i + 1) % 10_000 === 0 ? `ERROR step ${i + 1} failed: connection refused` : `step ${i + 1} compiled module`,
).join('\n');
const codeText = Array.from(
  { length: 400 },
  (_, i) => `export function made${i}(a) {\n  return a + ${i};\n}\n`,
).join('\n');

/** Records the call of a tool with what it answered. */
async function store(thread: string, tool: string, content: string): Promise<string> {
  const call = { id: `c-${tool}`, type: 'function', function: { name: tool, arguments: '{}' } };
  const posted = await apiOf(rig.stack).append(
    thread,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content },
  );
  return posted.messages[1]!.output!.id;
}

beforeAll(async () => {
  rig = await borrowedConsoleRig();
  log = await store('build', 'run_build', logText);
  code = await store('build', 'cat_file', codeText);
  wide = await store('minified', 'fetch_url', `{"data":"${'abc def '.repeat(60_000)}"}`);
  gone = await store('minified', 'old_tool', 'word '.repeat(20_000));
  await rowsOf(
    rig.stack.databaseUrl,
    `UPDATE outputs SET state = 'deleted', deleted_at = now() WHERE id = $1`,
    [gone],
  );
});
afterAll(() => rig?.stop());

beforeEach(async () => {
  ({ page, complaints } = await rig.open());
  await rig.signIn(page);
});
afterEach(() => rig.close(page));

const go = (path: string) => rig.visit(page, path);
/** Until a page listens, what the server sent and what the browser makes of it may both be there, one of them hidden. */
const row = (id: string, on = page) => on.locator(`tr:has(a[href="/outputs/${id}"]):visible`);
const numbered = (n: number) =>
  page.locator('[data-selected="true"] button', { hasText: n.toLocaleString('en-US') });
const query = () => new URL(page.url()).searchParams;

test('outputs of all threads are listed, searched, narrowed and ordered', async () => {
  await go('/outputs');
  await row(log).waitFor();
  await expectWellMade(page, /4 outputs/, complaints);
  await page.keyboard.press('/');
  await page.keyboard.type('MINIF');
  await page.getByText('2 outputs').waitFor();
  await page.getByLabel('State').selectOption('expired');
  await page.getByText('1 output', { exact: true }).waitFor();
  await row(gone).getByText('expired').waitFor();
  await go('/outputs?sort=biggest');
  await row(log).waitFor();
  expect(await page.locator('tbody tr').first().locator('a').first().getAttribute('title')).toBe(log);
  await page.getByRole('link', { name: 'fetch_url' }).click();
  await page.getByText('1 output', { exact: true }).waitFor();
  expect(query().get('tool')).toBe('fetch_url');
  await page.getByRole('button', { name: 'Expiring next' }).click();
  await page.waitForURL(/sort=expiring/);
  await go('/outputs?q=nothing-of-the-kind');
  await page.getByText('No output matches').waitFor();
});

test('an output is searched: matches are counted, and n and N go from one to the next', async () => {
  await go(`/outputs/${log}`);
  await page.getByText('step 1 compiled').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('ERROR.*refused');
  await page.keyboard.press('Enter');
  await page.getByText('6 matches').waitFor();
  await page.keyboard.press('n');
  await numbered(10_000).waitFor();
  await page.keyboard.press('n');
  await numbered(20_000).waitFor();
  await page.getByText('2 of 6 matches').waitFor();
  await page.keyboard.press('N');
  await page.keyboard.press('N');
  await numbered(60_000).waitFor();
  await page.locator('mark').first().waitFor();
  expect(query().get('grep')).toBe('ERROR.*refused');
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a pattern that would keep a browser busy for years leaves its lines unmarked, and the page answers', async () => {
  const rest = logText.split('\n')[9_999]!.length - 'ERROR'.length;
  const pattern = `ERROR${'.?'.repeat(rest)}${'.'.repeat(rest)}`;
  await go(`/outputs/${log}?grep=${encodeURIComponent(pattern)}`);
  await page.getByText('6 matches').waitFor();
  await page.keyboard.press('n');
  await numbered(10_000).waitFor();
  await page.locator('[data-matched="true"]').first().waitFor();
  expect(await page.locator('mark').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('matches stay when the search on fails, and it is tried again by a button', async () => {
  const detail = 'The store is out of reach.';
  await page.route(/\/grep\?.*cursor=/, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'Broken', status: 500, detail, code: 'internal' }),
    }),
  );
  await go(`/outputs/${log}?grep=compiled`);
  const matches = page.getByRole('region', { name: 'Matches' });
  const failed = page.getByRole('alert').filter({ hasText: detail });
  await failed.or(page.getByText(detail)).first().waitFor();
  await matches.getByText('100 matches in the first').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.unrouteAll();
  await matches.getByRole('button', { name: 'Try again' }).click();
  await matches.getByText('500 matches in the first').waitFor();
});

test('a line is gone to by its number, by keys and by its address', async () => {
  await go(`/outputs/${log}?line=41200`);
  await numbered(41_200).waitFor();
  await page.getByText('step 41200 compiled').waitFor();
  await page.keyboard.press('j');
  await numbered(41_201).waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await numbered(41_199).waitFor();
  await page.keyboard.press('G');
  await numbered(60_000).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await numbered(1).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(':4120');
  await page.keyboard.press('Enter');
  await numbered(4_120).waitFor();
  expect(query().get('line')).toBe('4120');
  expect(query().get('grep')).toBe(null);
});

test('all of 250,000 lines are reached by their number and by Home and End', async () => {
  const total = 250_000;
  const long = await store(
    'long',
    'count',
    Array.from({ length: total }, (_, i) => `row ${i + 1}`).join('\n'),
  );
  const line = (n: number) => page.getByText(`row ${n}`, { exact: true });
  await go(`/outputs/${long}?line=${total - 1}`);
  await numbered(total - 1).waitFor();
  await line(total).waitFor();
  await page.getByRole('group', { name: 'Lines' }).focus();
  await page.keyboard.press('Home');
  await line(1).waitFor();
  await page.keyboard.press('End');
  await line(total).waitFor();
  for (const n of [100_000, 100_001]) {
    await page.keyboard.press('/');
    await page.keyboard.type(`:${n}`);
    await page.keyboard.press('Enter');
    await numbered(n).waitFor();
    await line(n).waitFor();
    expect(query().get('line')).toBe(String(n));
  }
});

test('the outline shows what an output holds, and goes there', async () => {
  await go(`/outputs/${code}`);
  await page.getByRole('switch', { name: 'Outline' }).click();
  const outline = page.getByRole('region', { name: 'Outline' });
  await outline.getByRole('button', { name: /made200/ }).click();
  await page.getByText('made200').last().waitFor();
  expect(query().get('outline')).toBe('yes');
  expect(Number(query().get('line'))).toBeGreaterThan(600);
  await page.waitForTimeout(300);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('an output is pinned and unpinned, after being told what that means', async () => {
  await go(`/outputs/${log}`);
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByText(/No sweep removes a pinned output/).waitFor();
  await page.getByRole('button', { name: 'Pin, keep it' }).click();
  await page.getByText('never, pinned').waitFor();
  await page.getByRole('button', { name: 'Unpin', exact: true }).click();
  await page.getByText(/removed by the next sweep after/).waitFor();
  await page.getByRole('button', { name: 'Unpin, let it expire' }).click();
  await page.getByText(/^in \d+ d$/).waitFor();
  expect(complaints).toEqual([]);
});

test('an output is kept whole and released in the thread that it was opened from', async () => {
  const api = apiOf(rig.stack);
  await api.createThread({ id: 'held', policy: { context: { context_window: 900_000 } } });
  const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } };
  const posted = await api.append(
    'held',
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'word '.repeat(20_000) },
  );
  await api.call('POST', '/v1/threads/held/fork', { id: 'held-fork' });
  const hold = async (thread: string) =>
    (await api.call<Schemas['MessageList']>('GET', `/v1/threads/${thread}/messages`)).body.data[1]!.hold;
  await go('/threads/held-fork?tab=outputs');
  await page.getByRole('link', { name: posted.messages[1]!.output!.id.slice(0, 8) }).click();
  await page.getByRole('button', { name: 'Keep', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('held-fork').waitFor();
  await expectWellMade(page, /contain the whole output, [\d,]+ tokens/, complaints);
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Cancel');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(/^Whole from the next fold on\. All kept messages take [\d,]+ of/).waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect([await hold('held'), await hold('held-fork')]).toEqual([null, 'whole']);
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await dialog.getByText(/one line in place of the result/).waitFor();
  await dialog.getByRole('button', { name: 'Release it' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect([await hold('held'), await hold('held-fork')]).toEqual([null, 'release']);
  expect(complaints).toEqual([]);
});

test('an output that a fork shares is read in the fork, names the thread that recorded it, and Back leads to the fork', async () => {
  const api = apiOf(rig.stack);
  await api.createThread({ id: 'origin', policy: { context: { context_window: 900_000 } } });
  const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{"command":"make all"}' } };
  const lines = Array.from({ length: 9_000 }, (_, i) => `walrus${i}`);
  await api.append(
    'origin',
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: lines.join('\n') },
  );
  await api.call('POST', '/v1/threads/origin/fork', { id: 'origin-fork' });
  const ways = [
    ['?seq=2', /Open in viewer/],
    ['?seq=2', /more lines in the viewer/],
    ['?q=walrus4321', /Open the output at line/],
    ['?tab=context', /stub of out_/],
  ] as const;
  const head = page.locator('#content header').first();
  for (const [query, link] of ways) {
    await go(`/threads/origin-fork${query}`);
    if (String(link).includes('more')) await page.getByRole('button', { name: /first lines/ }).click();
    await page.getByRole('link', { name: link }).click();
    await head.getByRole('link', { name: 'origin-fork', exact: true }).waitFor();
    await head.getByText('Shared with').waitFor();
    await head.getByRole('link', { name: 'origin', exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => url.pathname === '/threads/origin-fork' && url.search === query);
  }
  await page.goForward();
  const links = [
    head.getByRole('link', { name: 'make all' }),
    head.getByRole('link', { name: '2', exact: true }),
  ];
  for (const link of links) expect(await link.getAttribute('href')).toContain('/threads/origin-fork?');
});

test('an output that is too large to be kept says so in the dialog, and a key that may only read cannot ask', async () => {
  await go(`/outputs/${code}`);
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep it whole' }).click();
  await dialog.getByRole('alert').getByText(/a quarter of its limit/).waitFor(); // prettier-ignore
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  const scopes = ['context:read', 'outputs:read'];
  const made = await apiOf(rig.stack).call<{ key: string }>('POST', '/v1/keys', { name: 'reader', scopes });
  const reader = await rig.open({ width: 390, height: 844 });
  await rig.enterKey(reader.page, made.body.key);
  await rig.visit(reader.page, `/outputs/${code}`);
  for (const name of ['Keep', 'Release']) {
    const button = reader.page.getByRole('button', { name, exact: true });
    await button.and(reader.page.locator(':disabled')).waitFor();
    expect(await button.locator('..').getAttribute('title')).toBe(
      'Needs a key with the scope messages:write',
    );
  }
  await expectWellMade(reader.page, /SHA-256/, reader.complaints);
  expect(await cutOff(reader.page)).toEqual([]);
  await rig.close(reader.page);
});

test('a line of half a megabyte is shown in pieces that no browser chokes on', async () => {
  await go(`/outputs/${wide}?wrap=yes`);
  const more = page.getByRole('button', { name: /more characters/ });
  await more.waitFor();
  while ((await more.count()) > 0) await more.click();
  await page
    .getByText(/abc def/)
    .first()
    .waitFor();
  const longest = await page.evaluate<number>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let most = 0;
    while (walker.nextNode()) most = Math.max(most, walker.currentNode.textContent.length);
    return most;
  })()`);
  expect(longest).toBeLessThanOrEqual(64_000);
  expect(complaints).toEqual([]);
});

test('an output leads to its thread and message, and is downloaded as it was stored', async () => {
  await go(`/outputs/${log}`);
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe(`${log}.txt`);
  await page.locator('dt:has-text("Message") + dd a').click();
  await page.waitForURL('**/threads/build?seq=2');
});

test('an output that is gone leaves a tombstone, and never a bare 404', async () => {
  await go(`/outputs/${gone}`);
  await expectWellMade(page, /This output expired/, complaints);
  await page.getByText('SHA-256', { exact: true }).waitFor();
  for (const id of ['out_0123456789abcdef0123456789abcdef', 'nope']) {
    await page.goto(`${rig.site.url}/outputs/${id}`);
    await page.getByRole('heading', { level: 1, name: 'There is no such output' }).waitFor();
    expect(await page.title()).toBe(`Output ${id.slice(0, 12)} · Spillway`);
  }
  await page.getByRole('link', { name: 'All outputs' }).click();
  await page.waitForURL('**/outputs');
});

test('list and reader fit a phone', async () => {
  const phone = await rig.open({ width: 390, height: 844 });
  await rig.signIn(phone.page);
  for (const [path, text] of [
    ['/outputs', /run_build/],
    [`/outputs/${log}?grep=ERROR&line=10000`, /matches/],
  ] as const) {
    await phone.page.goto(rig.site.url + path);
    await expectWellMade(phone.page, text, phone.complaints);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    // All columns of the list are on screen, when an output expires too.
    if (path === '/outputs') expect(await cutOff(phone.page)).toEqual([]);
  }
  // As the server sent it, too: until a slow browser has run the scripts, dates stand where ages will.
  await phone.page.route(/\.js(\?|$)/, (route) => route.abort());
  await phone.page.goto(`${rig.site.url}/outputs`, { waitUntil: 'commit' });
  await row(log, phone.page)
    .getByText(/^\d{4}-\d\d-\d\d$/)
    .last()
    .waitFor();
  expect(await cutOff(phone.page)).toEqual([]);
  await rig.close(phone.page);
});

test('a list stays legible while another one is read', async () => {
  await go('/outputs');
  await row(log).waitFor();
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/v1/outputs?*', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.getByLabel('State').selectOption('expired');
  await page.locator('[data-stale="true"]').waitFor();
  expect(await violations(page)).toEqual([]);
  answered.resolve();
  await page.getByText('1 output', { exact: true }).waitFor();
});

test('a search without a result says what it searches', async () => {
  await go('/outputs?q=ELIFECYCLE');
  await expectWellMade(page, /This search finds ids, tools and threads/, complaints);
});

test('an output says which call it answers, and leads there', async () => {
  const command = 'npm run build --workspace=web';
  const call = (id: string, cmd: string) => ({
    id,
    type: 'function',
    function: { name: 'sh', arguments: JSON.stringify({ cmd }) },
  });
  const posted = await apiOf(rig.stack).append(
    'commands',
    { role: 'assistant', content: null, tool_calls: [call('one', 'ls'), call('two', command)] },
    { role: 'tool', tool_call_id: 'one', content: 'a file' },
    { role: 'tool', tool_call_id: 'two', content: 'word '.repeat(20_000) },
  );
  await go(`/outputs/${posted.messages[2]!.output!.id}`);
  await expectWellMade(page, new RegExp(command), complaints);
  await page.getByRole('link', { name: command }).click();
  await page.waitForURL('**/threads/commands?seq=1');
});

test('an output that is erased while it is open, with its message or its thread, is shown no longer', async () => {
  const api = apiOf(rig.stack);
  const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } };
  const secret = (n: number) => `secret ${n} `.repeat(20_000);
  const erasures = ['/v1/threads/erased-1/messages/2', '/v1/threads/erased-2'];
  for (const [n, erase] of erasures.entries()) {
    const posted = await api.append(
      `erased-${n + 1}`,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: secret(n) },
    );
    const { id } = posted.messages[1]!.output!;
    // Asked for once when the page becomes live: after that, an event has it asked for again.
    const live = page.waitForResponse(
      (response) => new URL(response.url()).pathname === `/api/v1/outputs/${id}`,
    );
    await go(`/outputs/${id}`);
    const line = page.getByText(`secret ${n}`).first();
    await line.waitFor();
    await live;
    await page.getByText('Answers').waitFor();
    expect((await api.call('DELETE', erase)).status).toBeLessThan(300);
    // Half a minute later it would be asked for anyway.
    const erased = page.getByRole('heading', { name: 'This output was erased' });
    await erased.waitFor({ timeout: 15_000 });
    expect(await line.count()).toBe(0);
    expect(await page.getByText('Answers').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Outputs', exact: true }).first().click();
    await page.waitForURL('**/outputs');
    await page.goBack();
    await erased.waitFor();
    expect(await line.count()).toBe(0);
  }
});
