// @module-tag long
import { apiOf, rowsOf, startStubLlm, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { turns } from '../folding-thread.js';
import { cutOff, expectWellMade, startConsoleRig, violations, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig<Stack>;
let stub: StubLlm;
let api: Api;
let page: Page;
let complaints: string[];

const small = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
const talk = (topic: string) => turns(20, { topic });
const inState = (id: string, state: string) =>
  until(`${id} is ${state}`, async () => (await api.thread(id)).compaction.state === state);

/** A thread in each state: done, parked for two reasons, backing off. Their models answer, refuse the key, or fail. */
async function writeThreads(): Promise<void> {
  const plain = stub.answer;
  stub.answer = (call) => {
    if (call.model === 'locked') return { status: 401 };
    if (call.model === 'ill') return { status: 500 };
    return { ...plain(call), usage: { prompt_tokens: 1_000, completion_tokens: 100 } };
  };
  await api.call('PUT', '/v1/models/gpt-4o-mini', { input_price: 1, output_price: 2 });
  await api.createThread({ id: 'done', policy: small });
  await api.append('done', ...talk('apples'));
  await inState('done', 'idle');
  for (const id of ['locked-a', 'locked-b']) {
    await api.createThread({ id, policy: { ...small, summary: { model: 'locked' } } });
    await api.append(id, ...talk('pears'));
    await inState(id, 'parked');
  }
  await api.createThread({ id: 'too-large', system: 'word '.repeat(6_000), policy: small });
  await api.append('too-large', { role: 'user', content: 'hello' });
  await inState('too-large', 'parked');
  await api.createThread({ id: 'failing', policy: { ...small, summary: { model: 'ill' } } });
  await api.append('failing', ...talk('plums'));
  await inState('failing', 'backoff');
  // It stays so: on a slow machine it would use up its attempts before the last test, and be parked.
  await rowsOf(
    rig.stack.databaseUrl,
    `UPDATE threads SET next_attempt_at = now() + interval '1 day' WHERE id = 'failing'`,
  );
}

beforeAll(async () => {
  stub = await startStubLlm();
  rig = await startConsoleRig({
    env: {
      ...stub.env,
      SPILLWAY_POLL_MS: '300',
    },
  });
  api = apiOf(rig.stack);
  await writeThreads();
});
afterAll(async () => {
  await rig?.stop();
  await stub?.stop();
});
beforeEach(async () => {
  ({ page, complaints } = await rig.open());
  await rig.signIn(page);
});
afterEach(() => rig.close(page));

const open = (query = '') => rig.visit(page, `/jobs${query}`);
const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

test('the page opens where a person is needed, with the reasons in words and what to do', async () => {
  await open();
  await expectWellMade(page, /Retry all 3 parked/, complaints);
  expect(await tab('Parked').getAttribute('aria-selected')).toBe('true');
  await page.getByText('Set SPILLWAY_LLM_API_KEY to a valid key').waitFor();
  await page.getByText('exceeds the trigger. Raise the window or shorten the prompt.').waitFor();
});

test('every tab is in the address and well made, empty ones say what would be here', async () => {
  const shows: [string, string, RegExp][] = [
    ['Due', 'due', /./],
    ['Running', 'running', /No compaction is running/],
    ['Retrying', 'backoff', /failing/],
    ['Done', 'done', /g1/],
    ['Failed', 'failed', /the provider refused the key/],
    ['Sweeps', 'sweeps', /No sweeps yet/],
  ];
  await open();
  for (const [name, inAddress, text] of shows) {
    await tab(name).click();
    await page.waitForURL(`**/jobs?tab=${inAddress}`);
    await page.getByRole('tabpanel').getByText(text).first().waitFor();
    expect(await violations(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('the tab that the page opened with stays while the counts change', async () => {
  const key = await rig.stack.addProject('calm');
  const calm = apiOf({ url: rig.stack.url, key });
  await page.context().clearCookies();
  await rig.enterKey(page, key);
  await open();
  const isSelected = (name: string) => tab(name).and(page.locator('[aria-selected="true"]')).waitFor();
  await isSelected('Due');
  await calm.createThread({ id: 'too-large', system: 'word '.repeat(6_000), policy: small });
  await calm.append('too-large', { role: 'user', content: 'hello' });
  await page.getByRole('tab', { name: 'Parked 1' }).waitFor();
  await isSelected('Due');
  // Another address has a default of its own. React leaves out an address that the next one follows at once.
  await tab('Running').click();
  await isSelected('Running');
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
  await page.waitForURL('**/jobs');
  await isSelected('Parked');
  expect(complaints).toEqual([]);
});

test('a row opens to the attempts of its thread, with what each ran into', async () => {
  await open('?tab=backoff');
  await page.getByRole('button', { name: 'Attempts of failing' }).click();
  const attempts = page.getByRole('list', { name: 'Attempts of failing' });
  await attempts.getByText('unavailable').first().waitFor();
  await attempts
    .getByText(/The model failed: 500/)
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
});

test('an attempt that succeeded says what it took and cost', async () => {
  await open('?tab=done');
  const row = page.getByRole('row').filter({ hasText: 'done' });
  await row.getByText('1,000 / 100').first().waitFor();
  await row.getByText('$0.0012').first().waitFor();
  expect(complaints).toEqual([]);
});

test('parked threads are shown by reason and retried together, after saying how many', async () => {
  await open('?tab=parked');
  await page.getByRole('link', { name: /the provider refused the key 2/ }).click();
  await page.waitForURL('**/jobs?tab=parked&reason=auth');
  await page.getByText('too-large').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Retry all 2 parked: the provider refused the key/ }).click();
  await page.getByText('Retry 2 threads?').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await api.compactions('locked-a')).toHaveLength(1);
  await page.getByRole('button', { name: /Retry all 2 parked/ }).click();
  await page.getByRole('button', { name: 'Retry 2 threads' }).click();
  for (const id of ['locked-a', 'locked-b'])
    await until(`${id} was tried again`, async () => (await api.compactions(id)).length > 1);
  expect(await api.compactions('too-large')).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('one thread is retried from its row', async () => {
  await open('?tab=parked&reason=irreducible');
  await page.getByRole('row').filter({ hasText: 'too-large' }).getByRole('button', { name: 'Retry' }).click();
  await until('it was looked at again', async () => (await api.compactions('too-large')).length > 1);
  await page.getByText('Parked again').waitFor();
  await page.getByText(/too-large: Fixed content needs [\d,]+ tokens; limit is/).waitFor();
  expect(complaints).toEqual([]);
});

test('a button that is at work shows the whole of its spinner, also without motion', async () => {
  await page.route('**/retry', () => undefined);
  await open('?tab=parked&reason=irreducible');
  const button = page
    .getByRole('row')
    .filter({ hasText: 'too-large' })
    .getByRole('button', { name: 'Retry' });
  const around = (await button.boundingBox())!;
  await button.click();
  const spinner = page.locator('.mantine-Button-loader:visible').first();
  await spinner.waitFor();
  const inside = (await spinner.boundingBox())!;
  expect(inside.y).toBeGreaterThanOrEqual(around.y);
  expect(inside.y + inside.height).toBeLessThanOrEqual(around.y + around.height);
  expect(Math.abs(inside.x + inside.width / 2 - around.x - around.width / 2)).toBeLessThan(3);
});

test('a retry says how it ended, also when its row leaves the list meanwhile', async () => {
  const plain = stub.answer;
  const answered = Promise.withResolvers<void>();
  stub.answer = (call) => ({ ...plain(call), after: answered.promise });
  await open('?tab=parked&reason=auth');
  const row = page.getByRole('row').filter({ hasText: 'locked-a' });
  await row.getByRole('button', { name: 'Retry' }).click();
  await row.waitFor({ state: 'detached' });
  answered.resolve();
  await page.getByText('Parked again').waitFor();
  await page.getByText(/locked-a: the provider refused the key/i).waitFor();
  stub.answer = plain;
  expect(complaints).toEqual([]);
});

test('a retry of a thread whose summary was rejected says that another one waits for an approval, and leads to it', async () => {
  const summary = { apply: 'on_approval' };
  await api.createThread({ id: 'declined', policy: { ...small, summary } });
  await api.append('declined', ...talk('cherries').slice(0, 12));
  const proposal = () =>
    until('a summary is proposed', async () => (await api.thread('declined')).compaction.prepared);
  const { generation } = await proposal();
  await api.call('POST', `/v1/threads/declined/summaries/${generation}/reject`);
  await inState('declined', 'parked');
  await open('?tab=parked&reason=declined');
  const row = page.getByRole('row').filter({ hasText: 'declined' });
  await row.getByRole('button', { name: 'Retry' }).click();
  const next = (await proposal()).generation;
  const note = page.getByRole('alert').filter({ hasText: 'A summary waits for an approval' });
  await note.waitFor();
  expect(await note.innerText()).toContain(`declined: the model gets generation ${next} once it is approved`);
  expect(await violations(page)).toEqual([]);
  await note.getByRole('link', { name: `Review generation ${next} of declined` }).click();
  await page.waitForURL(`**/threads/declined?tab=summaries&gen=${next}`);
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('what is shown stays when it cannot be read again', async () => {
  await rig.close(page);
  const opened = await rig.open();
  page = opened.page;
  await rig.signIn(page);
  /** Answers the next question for it with an error. The page asks again when it is looked at again. */
  const failRefresh = async (path: string) => {
    await page.route(
      ({ pathname }) => pathname === path,
      (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }),
    );
    await until('it is refused', async () => {
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      return opened.refusals.includes(path);
    });
    await page.waitForTimeout(500);
  };
  await open('?tab=done');
  const done = page.getByRole('row').filter({ hasText: 'done' }).first();
  await done.waitFor();
  await failRefresh('/api/v1/compactions');
  expect(await done.isVisible()).toBe(true);
  await page.unrouteAll();
  await open('?tab=backoff');
  await page.getByRole('button', { name: 'Attempts of failing' }).click();
  const attempts = page.getByRole('list', { name: 'Attempts of failing' });
  await attempts.waitFor();
  await failRefresh('/api/v1/threads/failing/compactions');
  expect(await attempts.isVisible()).toBe(true);
  await failRefresh('/api/v1/queue');
  expect(await page.getByRole('button', { name: 'Attempts of failing' }).isVisible()).toBe(true);
});

test('equal errors of failed attempts are one, with their count and what to do', async () => {
  await open('?tab=failed');
  const groups = page.getByRole('list', { name: 'Errors of the attempts below' }).getByRole('listitem');
  await groups
    .filter({ hasText: /\d+ ×\s+the provider refused the key/ })
    .first()
    .waitFor();
  expect(await groups.filter({ hasText: 'the provider refused the key' }).count()).toBe(1);
  await groups.getByText('Set SPILLWAY_LLM_API_KEY to a valid key').waitFor();
});

test('on a phone the button that retries is on screen', async () => {
  const narrow = await rig.open({ width: 390, height: 844 });
  await rig.signIn(narrow.page);
  await rig.visit(narrow.page, '/jobs?tab=parked&reason=irreducible');
  const box = await narrow.page.getByRole('button', { name: 'Retry', exact: true }).boundingBox();
  expect(box!.x + box!.width).toBeLessThanOrEqual(390);
  await rig.close(narrow.page);
});

test('the strip says how long the queue is, how it went, and what sweeps freed or refused', async () => {
  await rowsOf(
    rig.stack.databaseUrl,
    `INSERT INTO sweeps (project_id, duration_ms, expired, over_budget, deleted, bytes_freed, refused)
     SELECT id, 12, 3, 2, 5, 7000000, 'The store lists no blob at all.' FROM projects WHERE name = 'default'`,
  );
  await open('?tab=sweeps');
  await page.getByText(/freed 7 MB: 3 outputs expired, 2 over budget/).waitFor();
  await page.getByRole('cell', { name: 'The store lists no blob at all.' }).waitFor();
  const throughput = page.getByRole('region', { name: 'Throughput, 24 hours' });
  await throughput.getByText(/\d+ succeeded, \d+ failed: .*the provider refused the key \(\d+\)/).waitFor();
  await throughput.getByRole('button', { name: /table/i }).click();
  expect(await throughput.getByRole('row').count()).toBe(25);
  expect(await violations(page)).toEqual([]);
});

test('a link leads from a job to its thread, and the page can be read on a phone', async () => {
  await open('?tab=parked');
  await page.getByRole('link', { name: 'too-large' }).click();
  await page.waitForURL('**/threads/too-large?tab=compactions');
  const narrow = await rig.open({ width: 390, height: 844 });
  await rig.signIn(narrow.page);
  await narrow.page.goto(`${rig.site.url}/jobs?tab=parked`);
  await expectWellMade(narrow.page, /irreducible/, narrow.complaints);
  expect(await narrow.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await rig.close(narrow.page);
});

test('tabs are reached and changed by keyboard', async () => {
  await open('?tab=due');
  await tab('Due').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**/jobs?tab=running');
  await expect.poll(() => tab('Running').getAttribute('aria-selected')).toBe('true');
});

test('without a worker and with a full Redis each page says what is wrong and what to do, one click from the overview', async () => {
  await rig.stack.workers[0]!.kill();
  await rig.visit(page, '/');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('No worker is connected').waitFor();
  await attention.getByText(/Check that a worker runs and reaches Redis and Postgres/).waitFor();
  await rig.stack.redis!.ask('CONFIG SET maxmemory 1mb');
  await api.createThread({ id: 'stalled', policy: small });
  await api.append('stalled', ...talk('grapes'));
  await rowsOf(
    rig.stack.databaseUrl,
    `UPDATE threads SET requested_at = now() - interval '9 min' WHERE id = 'stalled'`,
  );
  await rowsOf(rig.stack.databaseUrl, `UPDATE threads SET next_attempt_at = now() WHERE id = 'failing'`);
  await rig.visit(page, '/threads/failing');
  await page.getByText(/The last attempt failed: The model failed: 500/).waitFor();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await rig.visit(page, '/');
    const redis = page.getByRole('listitem').filter({ hasText: 'Redis' });
    await redis.getByText('takes no writes: raise maxmemory').waitFor();
    await page.getByRole('link', { name: /threads? due for more than a minute/ }).click();
    // The overview gives the same advice.
    await page.waitForURL('**/jobs?**');
    await page.getByText('Check that a worker runs and reaches Postgres.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'stalled', exact: true }).click();
    await page
      .getByText(/^Due (9|10) min ago, and no worker claimed it\. Check that a worker runs/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await rig.visit(page, '/settings/system');
    await page.getByText('It takes no writes: raise maxmemory').waitFor();
    expect(await cutOff(page)).toEqual([]);
  }
});
