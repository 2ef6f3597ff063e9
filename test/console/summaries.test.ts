// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, startStubLlm, until, type Api, type StubLlm } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { filler, settled, turns } from '../folding-thread.js';
import { expectWellMade, startConsoleRig, violations, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let stub: StubLlm;
let api: Api;
let page: Page;
let complaints: string[];

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 }, summary: { max_tokens: 400 } };
const talk = (...first: string[]) => turns(20, { first });
const says = (task: string) => ({
  task_overview: task,
  current_state: 'The flight is booked.\nNothing else was done.',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: '',
});

/** A thread of two generations by a model: the first invents something, the second says other words. */
async function writeThread(id: string): Promise<void> {
  stub.answer = () => ({
    content: says(
      'Please book flight HAT271. A yellow submarine called Nautilus was refunded for $4,217.50.',
    ),
  });
  await api.createThread({ id, policy });
  const lost = Array.from({ length: 60 }, (_, i) => `tkt${i}x${i}`).join(' ');
  await api.append(id, ...talk('Please book flight HAT271 for mia_li_3668.', `I looked at ${lost}.`));
  await settled(api, id, 1);
  stub.answer = () => ({ content: says('Please book flight HAT271. The seat is 14C at the window.') });
  await api.append(id, ...talk('Take the seat 14C at the window please.'));
  await settled(api, id, 2);
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
  await writeThread('flight');
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

const open = (path: string) => rig.visit(page, `/threads/${path}`);
const query = () => new URL(page.url()).searchParams;
const facts = () => page.getByRole('list', { name: 'Facts', exact: true }).getByRole('listitem');

test('the active generation is shown with its fields, where it comes from and its facts', async () => {
  await open('flight?tab=summaries');
  await page.getByRole('heading', { name: /^Generation 2/ }).waitFor();
  await expectWellMade(page, /Facts check/, complaints);
  const provenance = page.getByRole('complementary', { name: 'Provenance' });
  expect(await provenance.innerText()).toMatch(/gpt-4o-mini/);
  const room = provenance.getByRole('region', { name: 'Room of the summary' });
  expect(await room.innerText()).toMatch(
    /Instructions[^]*Facts[^]*of \d[^]*Narrative[^]*Free[^]*each has a slot/,
  );
  await provenance.getByText('took').waitFor();
});

test('a line leads to its messages, and an invention is marked', async () => {
  await open('flight?tab=summaries&gen=1');
  await page.getByText('not found in the thread').first().waitFor();
  const invented = page.getByRole('listitem').filter({ hasText: 'yellow submarine' });
  expect(await invented.innerText()).toContain('not found in the thread: Nautilus, $4,217.50');
  const vague = page.getByRole('listitem').filter({ hasText: 'Nothing else was done.' });
  expect(await vague.innerText()).toContain('nothing checkable');
  const counts = page.getByRole('link', { name: /^\d+ of \d+ facts dropped$/ });
  expect((await counts.boundingBox())!.y).toBeLessThan(page.viewportSize()!.height);
  // Two numbers of one summary that differ by far say beside them what each counts.
  const head = page.getByRole('paragraph').filter({ has: counts });
  expect(await head.innerText()).toMatch(
    /facts dropped\s+tool outputs included\s+fidelity \d+% of what the user and the agent wrote/,
  );
  const line = page.getByRole('listitem').filter({ hasText: 'Please book flight HAT271.' }).first();
  await line.hover();
  const strip = page.getByRole('region', { name: 'Sources' });
  await strip.getByText('mia_li_3668').waitFor();
  await line.getByRole('link', { name: 'Source: message 1', exact: true }).click();
  await page.waitForURL(/seq=1(&|$)/);
  expect(query().get('tab')).toBeNull();
  expect(complaints).toEqual([]);
});

test('the fidelity of a generation is explained, and each value that it lost leads to its message', async () => {
  stub.answer = () => ({ content: says('Please book flight HAT271.') });
  await api.createThread({ id: 'rebooked', policy });
  const tickets = Array.from({ length: 60 }, (_, i) => `tkt${i}x${i}`).join(' ');
  await api.append('rebooked', ...talk('From now on answer in German.', `I looked at ${tickets}.`));
  await settled(api, 'rebooked', 1);
  const { body } = await api.call<Schemas['Summary']>('GET', '/v1/threads/rebooked/summaries/1');
  const [ticket] = body.fidelity!.lost!.facts;
  await api.append('rebooked', { role: 'assistant', content: `I rebook ${ticket!.value}.` });
  await open('rebooked?tab=summaries&gen=1');
  const panel = page.getByRole('region', { name: 'Fidelity' });
  await panel.getByText('Code counts this').waitFor();
  const needs = panel.getByRole('list', { name: 'Missing: Used afterwards' });
  await needs.getByText(ticket!.value).waitFor();
  await panel.scrollIntoViewIfNeeded();
  if (process.env.SPILLWAY_PICTURES)
    await page.screenshot({ path: `${process.env.SPILLWAY_PICTURES}/fidelity.png` });
  await expectWellMade(page, /The test of the summary/, complaints);
  const facts = panel.getByRole('list', { name: 'Missing: Facts in use' }).getByRole('listitem');
  await facts.filter({ hasText: ticket!.value }).getByRole('link').click();
  await page.waitForURL(/seq=2(&|$)/);
  expect(complaints).toEqual([]);
});

describe('a generation beside its base', () => {
  test('words that came and went are marked by element and word, and counted', async () => {
    await open('flight?tab=summaries&gen=2&base=1');
    const overview = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: /Task overview/ }) });
    await overview.locator('ins').first().waitFor();
    expect(await overview.locator('ins').first().innerText()).toMatch(/added/);
    expect((await overview.locator('del').allInnerTexts()).join(' ')).toContain('submarine');
    expect(await overview.getByRole('heading').innerText()).toMatch(/\+\d+ words?.*−\d+ words?/s);
    expect(await page.getByRole('heading', { name: /Current state/ }).innerText()).toContain('unchanged');
    await expectWellMade(page, /unchanged since generation 1/, complaints);
  });

  test('the address says what is compared, d shows and hides it, j and k change the generation', async () => {
    await open('flight?tab=summaries');
    await page.getByRole('heading', { name: /^Generation 2/ }).waitFor();
    await page.getByRole('group', { name: /Summary, keys/ }).waitFor();
    await page.keyboard.press('d');
    await page.waitForURL(/base=1/);
    await page.locator('ins').first().waitFor();
    await page.keyboard.press('d');
    await page.waitForURL((url) => !url.searchParams.has('base'));
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /^Generation 1/ }).waitFor();
    expect(query().get('gen')).toBe('1');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: /^Generation 2/ }).waitFor();
  });
});

test('a link to a generation leads to it, whichever was looked at before', async () => {
  await open('flight?gen=2&base=1&seq=1');
  await page.getByRole('link', { name: 'in summary G1' }).first().click();
  await page.getByRole('heading', { name: /^Generation 1/ }).waitFor();
  expect([query().get('gen'), query().get('base')]).toEqual(['1', null]);
});

test('a link to a generation that is not among those listed shows it, and one to none says so', async () => {
  await writeThread('many');
  for (let n = 0; n < 201; n++) await api.call('POST', '/v1/threads/many/summaries/2/restore');
  expect((await api.thread('many')).compaction.generation).toBe(203);
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const rail = page.getByRole('navigation', { name: 'Generations' });
  await open('many?tab=summaries&gen=1');
  await heading('Generation 1').waitFor();
  await page.getByText('yellow submarine').first().waitFor();
  expect(await rail.locator('[aria-current=true]').innerText()).toMatch(/^Generation 1\s/);
  expect(await rail.getByRole('link').count()).toBe(201);
  await expectWellMade(page, /Facts check/, complaints);
  await page.getByRole('group', { name: /Summary, keys/ }).focus();
  await page.keyboard.press('k');
  await heading('Generation 4').waitFor();
  await rail.getByRole('button', { name: 'Older generations' }).click();
  await expect.poll(() => rail.getByRole('link').count()).toBe(203);
  expect(await rail.getByRole('button').count()).toBe(0);
  await page.getByRole('group', { name: /Summary, keys/ }).focus();
  await page.keyboard.press('j');
  await heading('Generation 3').waitFor();
  await open('many?tab=summaries&gen=203&base=1');
  await page.getByText('since generation 1').first().waitFor();
  expect(complaints).toEqual([]);
  await open('many?tab=summaries&gen=999');
  await heading('This thread has no generation 999').waitFor();
  expect(await violations(page)).toEqual([]);
  // The browser itself notes the 404.
  expect(complaints.splice(0).filter((text) => !text.includes('404'))).toEqual([]);
  await page.getByRole('link', { name: 'Show the summaries of this thread' }).click();
  await heading('Generation 203').waitFor();
});

test('facts are filtered by state and kind, the filter is in the address, and each leads to its message', async () => {
  await open('flight?tab=summaries&gen=1');
  await page.getByRole('button', { name: /^dropped/ }).click();
  await page.waitForURL(/fact=dropped/);
  await page.getByLabel('Kind').selectOption('id');
  await page.waitForURL(/kind=id/);
  await facts().first().waitFor();
  await until('only dropped ids are listed', async () =>
    (await facts().allInnerTexts()).every((text) => /dropped\s+id/.test(text)),
  );
  const dropped = facts().filter({ hasText: 'tkt' }).first();
  await dropped.getByRole('link', { name: 'Said in message 2' }).click();
  await page.waitForURL(/seq=2(&|$)/);
  expect(complaints).toEqual([]);
});

test('a summary is copied as text and as JSON', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('flight?tab=summaries&gen=2');
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: /As text/ }).click();
  expect(await clipboard()).toContain('<conversation_summary covers=');
  await page.getByRole('button', { name: /^Cop/ }).last().click();
  await page.getByRole('menuitem', { name: /As JSON/ }).click();
  expect(JSON.parse(await clipboard())).toMatchObject({
    generation: 2,
    fields: { task_overview: expect.stringContaining('14C') as string },
  });
});

describe('what can be done with a generation asks first', () => {
  test('rebuild says what it does, shows that it runs and leads to the new generation', async () => {
    await writeThread('rebuilt');
    await open('rebuilt?tab=summaries');
    await page.getByRole('button', { name: 'Rebuild', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/made again from the messages themselves/).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rebuild', exact: true }).click();
    await page.getByRole('link', { name: 'Show generation 3' }).click({ timeout: 30_000 });
    await page.getByRole('heading', { name: /^Generation 3/ }).waitFor();
    expect((await api.summaries('rebuilt')).at(-1)).toMatchObject({ from_seq: 1, chain: 2, active: true });
    expect(complaints).toEqual([]);
  });

  test('quarantine withdraws the generation, and what takes its place is shown', async () => {
    await writeThread('bad');
    // Its facts are still being read when it is withdrawn, as on a busy machine: read afterwards, they are refused.
    const withdrawn = Promise.withResolvers<void>();
    await page.route('**/summaries/2/facts?*', async (route) => {
      await withdrawn.promise;
      await route.continue();
    });
    await open('bad?tab=summaries&gen=2');
    await page.getByRole('button', { name: 'Quarantine', exact: true }).click();
    const answered = page.waitForResponse('**/summaries/2/quarantine');
    await page.getByRole('button', { name: 'Quarantine generation 2' }).click();
    await answered;
    withdrawn.resolve();
    await page.getByRole('link', { name: 'Show generation 3' }).waitFor({ timeout: 30_000 });
    await page.getByRole('heading', { name: /^Generation 2/ }).waitFor();
    await page.locator('header').getByText('withdrawn').first().waitFor();
    expect(await page.getByText('Facts check').count()).toBe(0);
    const made = await api.summaries('bad');
    expect(made[1]!.withdrawn_at).not.toBeNull();
    expect(made[2]).toMatchObject({ active: true });
    expect(complaints).toEqual([]);
  });

  test('restore copies an older generation into a new one, which is then shown', async () => {
    await writeThread('restored');
    await open('restored?tab=summaries&gen=1');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('button', { name: 'Restore generation 1' }).click();
    await page.getByRole('heading', { name: /^Generation 3/ }).waitFor();
    await page.getByText('restored from', { exact: false }).first().waitFor();
    expect((await api.summaries('restored'))[2]).toMatchObject({ restored_from: 1 });
  });

  test('a restoration that takes long leaves a person who went to another tab there', async () => {
    await writeThread('restored-late');
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await page.route('**/summaries/1/restore', async (route) => {
      asked.resolve();
      await answered.promise;
      await route.continue();
    });
    await open('restored-late?tab=summaries&gen=1');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('button', { name: 'Restore generation 1' }).click();
    await asked.promise;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Context' }).click();
    await page.waitForURL(/tab=context/);
    const left = page.url();
    answered.resolve();
    await page.getByText('Generation 3 is active, with the text of generation 1.').waitFor();
    await page.waitForTimeout(500);
    expect(page.url()).toBe(left);
    expect(complaints).toEqual([]);
  });
});

describe('compact now', () => {
  const own = { ...policy, summary: { provider: 'extractive' } };

  test('below its trigger it says so, offers a lower one, previews the cut and does it', async () => {
    const context = { context_window: 32_000 };
    await api.createThread({ id: 'early', policy: { ...own, context } });
    await api.append('early', ...talk('Hello.'));
    await open('early');
    await page.getByRole('button', { name: 'Compact now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Nothing would happen/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Compact', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Lower the trigger this once' }).click();
    await dialog.getByText('would be summarized').waitFor();
    expect(await dialog.innerText()).toMatch(/[\d,]+ → [\d,]+ tokens/);
    expect(await dialog.innerText()).toContain('code, no model');
    expect(await violations(page)).toEqual([]);
    expect((await api.thread('early')).compaction.generation).toBe(0);
    const cut = Number(/cut after message\s+([\d,]+)/.exec(await dialog.innerText())![1]);
    await dialog.getByRole('button', { name: 'Compact', exact: true }).click();
    await dialog.getByRole('link', { name: 'Show generation 1' }).click({ timeout: 30_000 });
    await page.getByRole('heading', { name: /^Generation 1/ }).waitFor();
    await page.getByText('made by code, no model').first().waitFor();
    expect((await api.summaries('early'))[0]!.to_seq).toBe(cut);
    expect(complaints).toEqual([]);
  });

  test('another retention moves the cut before anything is done', async () => {
    await api.createThread({ id: 'turns', policy: { ...own, context: { context_window: 32_000 } } });
    await api.append('turns', ...talk('Hello.'));
    await open('turns');
    await page.getByRole('button', { name: 'Compact now' }).click();
    const dialog = page.getByRole('dialog');
    const trigger = dialog.getByLabel('Compact from');
    const previewed = page.waitForRequest((request) =>
      /"trigger_ratio":0.125\b/.test(request.postData() ?? ''),
    );
    await trigger.pressSequentially('12.5');
    expect(await trigger.inputValue()).toMatch(/^12\.5/);
    await previewed;
    await trigger.fill('12');
    await dialog.getByLabel('Keep verbatim').selectOption('turns');
    await dialog.getByLabel('Turns to keep').fill('2');
    await dialog.getByText(/, 2 turns/).waitFor();
    await dialog.getByLabel('Turns to keep').fill('1');
    await dialog.getByText(/, 1 turn$/).waitFor();
    await dialog.getByLabel('Turns to keep').fill('');
    await dialog.getByRole('alert').getByText('must be a number').waitFor();
    await dialog.getByText('would be summarized').waitFor();
    expect(await dialog.getByRole('button', { name: 'Compact', exact: true }).isDisabled()).toBe(true);
    expect((await api.summaries('turns')).length).toBe(0);
  });

  test('a policy that cannot work is refused in words, beside its field', async () => {
    await open('flight');
    await page.getByRole('button', { name: 'Compact now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Summary made by').selectOption('anthropic');
    await dialog
      .getByRole('alert')
      .getByText(/is not configured on this server/)
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Compact', exact: true }).isDisabled()).toBe(true);
  });
});

test('a requested compaction ends with its generation, although messages came meanwhile and the next summary waits for an approval', async () => {
  stub.answer = () => ({ content: says('Please book flight HAT271.') });
  const onApproval = { ...policy, summary: { max_tokens: 400, apply: 'on_approval' } };
  await api.createThread({ id: 'asked', policy: onApproval });
  const grow = async (tokens: number) => {
    while ((await api.thread('asked')).live_tokens < tokens)
      await api.append('asked', { role: 'user', content: filler }, { role: 'assistant', content: filler });
  };
  const { trigger_tokens: trigger } = await api.thread('asked');
  await grow(trigger);
  const waits = (generation: number) =>
    until(`generation ${generation} waits`, async () => {
      const { state, prepared } = (await api.thread('asked')).compaction;
      return state === 'due' && prepared?.state === 'proposed' && prepared.generation === generation;
    });
  await waits(1);
  await open('asked');
  await page.getByRole('button', { name: 'Compact now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('would be summarized').waitFor();
  const held = Promise.withResolvers<void>();
  stub.answer = () => ({ content: says('Please book flight HAT271.'), after: held.promise });
  await dialog.getByRole('button', { name: 'Compact', exact: true }).click();
  await dialog.getByText('Compacting: running …').waitFor();
  // What is not folded, and more than the trigger beside it.
  await grow(2 * trigger);
  held.resolve();
  await waits(3);
  expect((await api.thread('asked')).compaction.generation).toBe(2);
  await dialog.getByText(/^Generation 2 is active and covers messages 1–\d+\.$/).waitFor();
  expect(complaints).toEqual([]);
});

test('attempts say in words how they ended, and lead to what they made', async () => {
  stub.answer = () => ({ status: 401 });
  await api.createThread({ id: 'refused', policy });
  await api.append('refused', ...talk('Hello.'));
  await until('it is parked', async () => (await api.thread('refused')).compaction.state === 'parked');
  await open('refused?tab=compactions');
  const attempts = page.getByRole('tabpanel', { name: 'Compactions' });
  await attempts.getByText('the provider refused the key', { exact: true }).waitFor();
  const { body } = await api.call<Schemas['CompactionAttemptList']>('GET', '/v1/threads/refused/compactions');
  const [attempt] = body.data;
  const errors = attempts.getByRole('list', { name: 'Errors of the attempts below' }).getByRole('listitem');
  expect(await errors.count()).toBe(1);
  expect(await errors.innerText()).toContain('1 × the provider refused the key');
  expect(attempt!.error).not.toBe('');
  expect(await errors.innerText()).toContain(attempt!.error);
  await open('flight?tab=compactions');
  await expectWellMade(page, /Automatic/, []);
  await page.getByRole('link', { name: 'Generation 1' }).click();
  await page.getByRole('heading', { name: /^Generation 1/ }).waitFor();
});

test('costs of summaries from before a price was set are said to be at the price of today', async () => {
  await api.call('PUT', '/v1/models/gpt-4o-mini', { input_price: 1, output_price: 2 });
  await api.context('flight');
  const money = page.getByRole('region', { name: 'Net money saved' });
  await until('the contexts are counted', async () => {
    await rig.visit(page, '/');
    return money.isVisible();
  });
  await money
    .getByText(/\d+ attempts? ran before a price was set and counts? at the price of today/)
    .waitFor();
  await expectWellMade(page, /tokens saved\. Their price is unknown/, complaints);
});

test('at 390 pixels all of it is there, one below the other, and the diff is in one column', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('flight?tab=summaries&gen=2&base=1');
  await page.locator('ins').first().waitFor();
  await expectWellMade(page, /Facts check/, complaints);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
  const before = page.getByText('submarine').first();
  const after = page.getByText('14C').first();
  expect((await before.boundingBox())!.x).toBeLessThan(380);
  expect((await after.boundingBox())!.x).toBeLessThan(380);
});
