// @module-tag long
import { until, type Api } from '@spillway/testing';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cutOff, expectWellMade, signedInPage, type ConsoleRig } from './console-rig.js';

/** In this order: the first test needs a project without threads. */
let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];
const width = 390;

signedInPage((given) => ({ rig, api, page, complaints } = given), { size: { width, height: 844 } });

/** Where an element ends, to the left and to the right, in pixels of the window. */
async function ends(of: Locator): Promise<{ left: number; right: number }> {
  await of.waitFor();
  const { x, width } = (await of.boundingBox())!;
  return { left: Math.floor(x), right: Math.ceil(x + width) };
}
async function expectOnScreen(of: Locator): Promise<void> {
  const { left, right } = await ends(of);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(width);
}

test('a list without threads says how to begin within the width of a phone, and its command can be copied', async () => {
  await rig.visit(page, '/threads');
  await expectWellMade(page, /No threads yet/, complaints);
  await expectOnScreen(page.getByText('A thread appears here with its first message'));
  await expectOnScreen(page.getByRole('button', { name: 'Copy the command' }));
  expect(await page.locator('pre').innerText()).toContain(rig.stack.url);
});

test('every button of a thread shows all of its label', async () => {
  const policy = { context: { context_window: 8_000 } };
  await api.createThread({ id: 'stuck', system: 'word '.repeat(6_000), policy });
  await api.append('stuck', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('stuck')).compaction.state === 'parked');
  await rig.visit(page, '/threads/stuck');
  for (const name of ['Retry', 'Export', 'Erase', 'Compact now']) {
    const button = page.locator('header').getByRole('button', { name });
    await expectOnScreen(button);
    const cut = await button
      .locator('.mantine-Button-label')
      .evaluate(
        (label: { scrollWidth: number; clientWidth: number }) => label.scrollWidth - label.clientWidth,
      );
    expect([name, cut]).toEqual([name, 0]);
  }
});

test('the head of a thread that is parked leaves three quarters of a phone to the thread', async () => {
  const policy = { context: { context_window: 8_000 } };
  await api.createThread({ id: 'head', model: 'gpt-4o', system: 'word '.repeat(6_000), policy });
  await api.append('head', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('head')).compaction.state === 'parked');
  await rig.visit(page, '/threads/head');
  const { height } = (await page.locator('#content header').first().boundingBox())!;
  expect(height).toBeLessThan(844 / 4);
});

test('the system prompt of a thread that cannot serve a context is read from its head', async () => {
  const system = `Never push to main. ${'word '.repeat(6_000)}`;
  await api.createThread({ id: 'prompt', system, policy: { context: { context_window: 8_000 } } });
  await api.append('prompt', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('prompt')).compaction.state === 'parked');
  await rig.visit(page, '/threads/prompt');
  await page.getByRole('link', { name: 'Read the system prompt' }).click();
  await page.getByText('system prompt, part of every context').waitFor();
  await page.getByText(/^Never push to main\. word/).waitFor();
  expect(await page.getByRole('button', { name: 'Copy as JSON' }).isEnabled()).toBe(false);
  expect(await cutOff(page)).toEqual([]);
});

test('the search of a thread and its steps take one line', async () => {
  await api.append('searched', ...['one', 'two', 'three'].map((content) => ({ role: 'user', content })));
  await rig.visit(page, '/threads/searched');
  const field = page.getByRole('textbox', { name: 'Search this thread' });
  await field.fill('two');
  await page.keyboard.press('Enter');
  const parts = [
    field,
    page.getByRole('button', { name: 'Clear the search' }),
    page.getByLabel('Go to message'),
    page.getByRole('button', { name: 'Newest message' }),
  ];
  const middles: number[] = [];
  for (const part of parts) {
    await expectOnScreen(part);
    const { y, height } = (await part.boundingBox())!;
    middles.push(Math.round(y + height / 2));
  }
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(2);
  expect((await field.boundingBox())!.width).toBeGreaterThan(90);
  expect(await cutOff(page)).toEqual([]);
});

test('where a message stands is read in one line, beside or above its actions', async () => {
  const answer = { role: 'assistant', content: 'Clean.', pinned: true };
  await api.append('stands', { role: 'user', content: 'Is it clean?' }, answer);
  await api.call('POST', '/v1/threads/stands/messages/keep', { from_seq: 2, to_seq: 2 });
  await rig.visit(page, '/threads/stands');
  const row = page.getByRole('article', { name: 'Message 2' });
  for (const part of ['in the context', 'pinned', 'kept']) {
    const text = row.getByText(part, { exact: true });
    await expectOnScreen(text);
    expect((await text.boundingBox())!.height).toBeLessThan(24);
  }
  await expectOnScreen(row.getByRole('button', { name: 'Change message 2' }));
  expect(await cutOff(page)).toEqual([]);
});

test('the chosen tab is on screen, in a thread and in the settings', async () => {
  await rig.visit(page, '/threads/stuck?tab=outputs');
  await expectOnScreen(page.getByRole('tab', { name: 'Outputs' }));
  await rig.visit(page, '/settings/system');
  await expectOnScreen(page.getByRole('navigation', { name: 'Settings' }).getByText('System'));
});

test('the filters of the thread list fit the width of a phone', async () => {
  await rig.visit(page, '/threads');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expectOnScreen(page.getByLabel('Tokens sent now, at least'));
  await expectOnScreen(page.getByLabel('Model'));
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await expectWellMade(page, /Quiet for/, complaints);
});

test('the list shows the value that it is sorted by, on a phone and a tablet', async () => {
  const policy = { context: { context_window: 8_000 } };
  await api.createThread({ id: 'sorted', policy });
  await api.append('sorted', ...['one', 'two', 'three'].map((content) => ({ role: 'user', content })));
  const live = (await api.thread('sorted')).live_tokens;
  const values = [
    ['messages', '3 messages', 'Messages', '3'],
    ['tokens', `${live} live tokens`, 'Recorded → live', new RegExp(`→ ${live}$`)],
    ['created', /^created (now|[\d.]+ \w+ ago)$/, 'Created', /^(now|[\d.]+ \w+ ago)$/],
  ] as const;
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'sorted', exact: true }) });
  for (const [sort, phone, column, tablet] of values) {
    await page.setViewportSize({ width, height: 844 });
    await rig.visit(page, `/threads?q=sorted&sort=${sort}`);
    await expectOnScreen(row.getByRole('cell', { name: phone, exact: true }));
    expect(await cutOff(page)).toEqual([]);
    await page.setViewportSize({ width: 768, height: 1024 });
    await row.getByRole('cell', { name: tablet, exact: true }).waitFor();
    await page.getByRole('columnheader', { name: column }).waitFor();
    expect(await cutOff(page)).toEqual([]);
  }
});

test('what decides about a row stays on screen while the rest is scrolled', async () => {
  await api.append('told', { role: 'user', content: 'The build is red. Never push to main.' });
  await rig.visit(page, '/threads/told?tab=instructions');
  const dismiss = page.getByRole('button', { name: 'Dismiss: Never push to main.' });
  await expectOnScreen(dismiss);
  const approve = page.getByRole('button', { name: 'Approve: Never push to main.' });
  const row = page.getByRole('row').filter({ has: dismiss });
  const seq = await ends(row.getByRole('link', { name: '1', exact: true }));
  expect(seq.right).toBeLessThanOrEqual(Math.min((await ends(approve)).left, (await ends(dismiss)).left));
  await rig.visit(page, '/settings/keys');
  await expectOnScreen(page.getByRole('button', { name: /Revoke/ }).first());
  await expectOnScreen(page.getByRole('button', { name: /^Change / }).first());
  await rig.visit(page, '/settings/models');
  await expectOnScreen(page.getByRole('button', { name: /Change/ }).first());
});

test('a tool call with a long name leads to its result', async () => {
  const name = 'transfer_the_customer_to_a_human_agent';
  const call = { id: 'c1', type: 'function', function: { name, arguments: '{"summary":"no"}' } };
  await api.append(
    'called',
    { role: 'user', content: 'help' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'Transfer successful' },
  );
  await rig.visit(page, '/threads/called');
  await expectOnScreen(page.getByRole('button', { name: 'result at 3' }));
});

test('a long tool name and a long model name leave the buttons beside them on screen', async () => {
  const name = 'transfer_the_customer_to_a_human_agent_and_wait_for_an_answer';
  const call = { id: 'c1', type: 'function', function: { name, arguments: '{}' } };
  const model = `provider/${'an-extremely-long-model-name-'.repeat(2)}2026-11-26`;
  await api.createThread({ id: 'long-names', model, policy: { context: { context_window: 32_000 } } });
  const posted = await api.append(
    'long-names',
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'word '.repeat(20_000) },
  );
  await rig.visit(page, '/threads/long-names');
  expect(await cutOff(page)).toEqual([]);
  await rig.visit(page, `/outputs/${posted.messages[1]!.output!.id}`);
  await expectOnScreen(page.getByRole('button', { name: "Copy the output's id" }));
  const thread = await ends(page.getByRole('link', { name: 'long-names', exact: true }));
  expect(thread.right - thread.left).toBeGreaterThan(40);
  expect(await cutOff(page)).toEqual([]);
});

test('text from right to left is read from right to left, line by line', async () => {
  const content = 'שלום src/app.ts דחוף\nthe second line שלום ends';
  await api.append('hebrew', { role: 'user', content });
  await rig.visit(page, '/threads/hebrew');
  await page.getByText('דחוף').first().waitFor();
  /** The left ends of these words on the page, in the order given. */
  const lefts = (...words: string[]) =>
    page.evaluate<number[]>(`(() => {
      const walker = document.createTreeWalker(document.querySelector('#content'), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.data.includes('דחוף')) continue;
        return ${JSON.stringify(words)}.map((word) => {
          const range = document.createRange();
          range.setStart(node, node.data.indexOf(word));
          range.setEnd(node, node.data.indexOf(word) + word.length);
          return range.getBoundingClientRect().left;
        });
      }
    })()`);
  const [first, middle, last] = await lefts('שלום', 'src/app.ts', 'דחוף');
  expect(first).toBeGreaterThan(middle!);
  expect(middle).toBeGreaterThan(last!);
  const [the, ends] = await lefts('the second', 'ends');
  expect(the).toBeLessThan(ends!);
});

test('the id that must be typed to erase a thread is read whole', async () => {
  const id = `thread-${'0123456789'.repeat(12)}-end`;
  await api.createThread({ id });
  await rig.visit(page, `/threads/${id}`);
  await page.locator('header').getByRole('button', { name: 'Erase' }).click();
  const label = page.getByRole('dialog').getByText(`Type ${id} to confirm`);
  await expectOnScreen(label);
  const cut = await label.evaluate(
    (text: { scrollWidth: number; clientWidth: number }) => text.scrollWidth - text.clientWidth,
  );
  expect(cut).toBe(0);
});
