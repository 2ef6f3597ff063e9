// @module-tag long
import { loadFolder, until, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { cutOff, expectWellMade, signedInPage, violations, type ConsoleRig } from './console-rig.js';

/** In this order: the first run is over once there is a thread. */
let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];
let refusals: string[];

signedInPage((given) => ({ rig, api, page, complaints, refusals } = given));
beforeEach(() => rig.visit(page, '/'));

const samples = loadFolder('samples').map(({ name }) => `sample-${name}`);
const main = () => page.locator('main');

test('somebody who signs in lands on the overview, which says how to begin', async () => {
  const stranger = await rig.open();
  await rig.enterKey(stranger.page);
  expect(new URL(stranger.page.url()).pathname).toBe('/');
  await expectWellMade(stranger.page, /Nothing is recorded yet/, stranger.complaints);
  await rig.close(stranger.page);
  await page.getByText('Waiting for your first message').waitFor();
});

test('the command that is shown works as it stands, and its message is seen to arrive', async () => {
  const command = (await main().locator('pre').textContent())!;
  expect(command).toContain(rig.stack.url);
  expect(command).not.toContain(rig.stack.key);
  const [, url] = /curl (\S+)/.exec(command)!;
  const [, body] = /-d '([^']+)'/.exec(command)!;
  const answer = await fetch(url!, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.stack.key}`, 'content-type': 'application/json' },
    body: body!,
  });
  expect(answer.status).toBe(201);
  await page.getByText('Your first message is here').waitFor({ timeout: 10_000 });
  await page.getByRole('link', { name: 'hello', exact: true }).waitFor();
  await api.call('DELETE', '/v1/threads/hello');
});

test('the sample threads are loaded whole, compact in front of whoever asked, and lead on', async () => {
  await page.getByRole('button', { name: 'Load the sample threads' }).click();
  await page.getByRole('link', { name: 'Open the longest' }).waitFor({ timeout: 90_000 });
  await until('every sample is compacted', async () => {
    const threads = await Promise.all(samples.map((id) => api.thread(id)));
    return threads.every(({ compaction }) => compaction.generation > 0 && compaction.state === 'idle');
  });
  await page
    .getByText(/generation \d/)
    .first()
    .waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.getByRole('link', { name: 'Open the longest' }).click();
  await page.waitForURL('**/threads/sample-release-review');
});

test('samples that are asked for twice at once are recorded once', async () => {
  const seqs = async () => Promise.all(samples.map(async (id) => (await api.thread(id)).last_seq));
  const before = await seqs();
  const post = (name: string) =>
    page.evaluate(
      async (path) => (await fetch(path, { method: 'POST' })).status,
      `/samples?name=${name.replace('sample-', '')}`,
    );
  expect(await Promise.all([...samples, ...samples].map(post))).toEqual(
    [...samples, ...samples].map(() => 200),
  );
  expect(await seqs()).toEqual(before);
  expect(await post('sample-../../package')).toBe(404);
  complaints.length = 0;
});

test('the route of the samples lets in nobody from elsewhere', async () => {
  const url = `${rig.site.url}/samples`;
  expect((await fetch(url)).status).toBe(401);
  const sent = (headers: Record<string, string>) => fetch(`${url}?name=x`, { method: 'POST', headers });
  expect((await sent({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await sent({})).status).toBe(403);
  expect((await sent({ 'sec-fetch-site': 'same-origin' })).status).toBe(401);
});

test('what was served and saved is on the tiles, and every chart has its numbers as a table', async () => {
  for (const id of samples) await api.context(id);
  const usage = await until('the contexts are counted', async () => {
    const { body } = await api.call<{ totals: { contexts: number; tokens_full: number } }>(
      'GET',
      '/v1/usage',
    );
    return body.totals.contexts === samples.length && body.totals;
  });
  await rig.visit(page, '/');
  await expectWellMade(page, /Tokens saved/, complaints);
  await page.getByText(`${samples.length} contexts took`).waitFor();
  const panel = page.getByRole('region', { name: 'Tokens sent to models' });
  await panel.getByRole('button', { name: /table/i }).click();
  await panel.getByRole('cell', { name: usage.tokens_full.toLocaleString('en-US') }).waitFor();
  expect(await panel.getByRole('row').count()).toBe(25);
  expect(await violations(page)).toEqual([]);
});

test('how far back to look is in the address', async () => {
  await page.getByText('30 d', { exact: true }).click();
  await page.waitForURL('**/?range=30d');
  await page
    .getByRole('radio', { name: '30 d' })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' });
  await page.reload();
  const panel = page.getByRole('region', { name: 'Tokens sent to models' });
  await panel.getByRole('button', { name: /table/i }).click();
  expect(await panel.getByRole('row').count()).toBe(31);
  expect(complaints).toEqual([]);
});

test('without prices no money is made up, and the way to set them is shown', async () => {
  const money = page.getByRole('region', { name: 'Net money saved' });
  await money.getByText(/tokens saved\. Their price is unknown/).waitFor();
  expect(await money.getByRole('definition').count()).toBe(0);
});

test('when all is well the overview says so; a thread that can serve no context leads to its repair', async () => {
  // This stack has no summary model, so nothing is said about one.
  await page.getByText('No problems: no thread is parked or stuck, no output is corrupt.').waitFor();
  expect(await page.title()).toBe('Overview · Spillway');
  const health = page.getByRole('list', { name: 'Health' });
  await health.getByText(/^\d+(\.\d+)? [kM]?B of 10\.7 GB/).waitFor();
  for (const part of ['API', 'Postgres', 'Redis', 'Summary model', 'Workers', 'Queue'])
    await health.getByRole('listitem').filter({ hasText: part }).getByRole('img', { name: 'well' }).waitFor();
  await api.createThread({
    id: 'stuck',
    system: 'word '.repeat(6_000),
    policy: { context: { context_window: 8_000 } },
  });
  await api.append('stuck', { role: 'user', content: 'hello' });
  const refused = '1 thread cannot serve a context: prompt exceeds the limit';
  await page.getByText(refused).waitFor({ timeout: 20_000 });
  const { detail } = (await api.thread('stuck')).compaction;
  const fixed = detail!.fixed_tokens.toLocaleString('en-US');
  await page.getByText(`Fixed content needs ${fixed} tokens;`).waitFor();
  // Over the trigger and within the limit: a retry would park it again, so its policy is offered.
  await api.createThread({
    id: 'over-trigger',
    system: 'word '.repeat(7_400),
    policy: { context: { context_window: 12_000 } },
  });
  await api.append('over-trigger', { role: 'user', content: 'hello' });
  const parked = page.getByRole('listitem').filter({ hasText: '1 thread parked: irreducible' });
  const edit = parked.getByRole('link', { name: 'Edit policy' });
  await edit.waitFor({ timeout: 20_000 });
  expect(await edit.getAttribute('href')).toBe('/settings/policy?thread=over-trigger');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: refused }).click();
  await page.waitForURL('**/jobs?tab=parked&reason=irreducible');
  // The repair: from the thread's page to its policy, with the window that is suggested.
  await rig.visit(page, '/threads/stuck?tab=context');
  await page.getByRole('heading', { name: 'This thread cannot serve a context' }).waitFor();
  expect(await page.getByText('/max_tokens').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Edit the policy of this thread' }).first().click();
  await page.waitForURL('**/settings/policy?thread=stuck');
  // The page asks for the context as often as the thread changes, and Chromium reports each refusal.
  expect(refusals.filter((path) => path !== '/api/v1/threads/stuck/context')).toEqual([]);
  expect(complaints.filter((complaint) => !complaint.includes('status of 422'))).toEqual([]);
});

test('it can be read on a phone, and used by keyboard alone', async () => {
  const narrow = await rig.open({ width: 390, height: 844 });
  await rig.signIn(narrow.page);
  await rig.visit(narrow.page, '/');
  await expectWellMade(narrow.page, /Needs attention/, narrow.complaints);
  // The charts are drawn once the browser knows their width.
  await narrow.page.locator('.recharts-area-curve').first().waitFor();
  expect(await cutOff(narrow.page)).toEqual([]);
  await rig.close(narrow.page);
  await rig.visit(page, '/');
  await page.getByRole('radio', { name: '24 h' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**/?range=7d');
});
