// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, loadFolder, until } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expireOutput } from '../expire-output.js';
import {
  expectWellMade,
  borrowedConsoleRig,
  violations,
  writeSamples,
  type ConsoleRig,
} from './console-rig.js';
import { longestTextNode } from './longest-text-node.js';
import { whyStuck, writeOddThreads } from './odd-threads.js';

let rig: ConsoleRig;
let page: Page;
let complaints: string[];
let cut: number;
let lastSeq: number;
let withOutput: { thread: string; seq: number; id: string };

const longest = loadFolder('samples').sort((a, b) => b.messages.length - a.messages.length)[0]!.name;
const thread = `/threads/${longest}`;

beforeAll(async () => {
  rig = await borrowedConsoleRig();
  const api = apiOf(rig.stack);
  await writeSamples(rig.stack);
  await until('the longest sample is compacted', async () => {
    const { compaction } = await api.thread(longest);
    return compaction.state === 'idle' && compaction.generation > 0;
  });
  lastSeq = (await api.thread(longest)).last_seq;
  cut = (await api.summaries(longest)).at(-1)!.to_seq;
  for (const { name } of loadFolder('samples')) {
    const { body } = await api.call<{ data: { id: string; seq: number; lines: number }[] }>(
      'GET',
      `/v1/threads/${name}/outputs`,
    );
    const [largest] = body.data.sort((a, b) => b.lines - a.lines);
    if (largest) withOutput = { thread: name, seq: largest.seq, id: largest.id };
  }
  await writeOddThreads(rig.stack);
});
afterAll(() => rig?.stop());

beforeEach(async () => {
  ({ page, complaints } = await rig.open());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await rig.signIn(page);
});
afterEach(() => rig.close(page));

const at = (path: string) => rig.visit(page, path);
const message = (seq: number) => page.locator(`article[aria-label="Message ${seq}"]`);
const marked = (seq: number) => message(seq).and(page.locator('[data-selected="true"]')).waitFor();
const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
const query = () => new URL(page.url()).searchParams;

describe('the timeline', () => {
  test('opens at the newest message and answers to j, k, g g, G and the brackets without a click', async () => {
    await at(thread);
    await message(lastSeq).waitFor();
    await page.keyboard.press('G');
    await marked(lastSeq);
    await page.keyboard.press('k');
    await marked(lastSeq - 1);
    await page.keyboard.press('j');
    await marked(lastSeq);
    for (const key of ['g', 'g']) await page.keyboard.press(key);
    await marked(1);
    const [oldest] = await apiOf(rig.stack).summaries(longest);
    await page.keyboard.press(']');
    await marked(oldest!.to_seq);
    await message(oldest!.to_seq)
      .locator('xpath=..')
      .getByText(/tokens \(.*less\)/)
      .waitFor();
    await page.keyboard.press('G');
    await page.keyboard.press('[');
    await marked(cut);
    await expectWellMade(page, /Generation/, complaints);
  });

  test('a deep link marks its message, and the link of a message can be copied', async () => {
    await at(`${thread}?seq=5`);
    await marked(5);
    await page.keyboard.press('c');
    await page.getByText('Link copied').waitFor();
    expect(await copied()).toBe(`${rig.site.url}${thread}?seq=5`);
    await page.getByRole('button', { name: 'Copy a link to message 6' }).click();
    await until('the other link is copied', async () => (await copied()).endsWith('?seq=6'));
  });

  test('says of every message where it stands: in which summary, or in the context', async () => {
    await at(`${thread}?seq=${cut}`);
    await message(cut).getByText(/in summary G\d+/).waitFor(); // prettier-ignore
    await message(cut + 1)
      .getByText('in the context')
      .waitFor();
    await message(cut).getByRole('link', { name: /in summary/ }).click(); // prettier-ignore
    await page.waitForURL((url) => url.searchParams.get('tab') === 'summaries');
    expect(Number(query().get('gen'))).toBeGreaterThan(0);
  });

  test('shows when a message was sent, with the time at which it was recorded in its title', async () => {
    const api = apiOf(rig.stack);
    const say = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
    const sent = new Date(Date.now() - 3 * 86_400_000).toISOString();
    await api.append('from-elsewhere', say('Long ago.', { sent_at: sent }), say('Now.'));
    const { body } = await api.call<Schemas['MessageList']>('GET', '/v1/threads/from-elsewhere/messages');
    const inWords = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
    const [first, second] = body.data.map(({ created_at: recorded }) => inWords(recorded));
    await at('/threads/from-elsewhere');
    const imported = message(1).locator('time');
    await imported.getByText('3 d ago').waitFor();
    expect(await imported.getAttribute('datetime')).toBe(sent);
    expect(await imported.getAttribute('title')).toBe(`Sent ${inWords(sent)}, recorded ${first}`);
    expect(await message(2).locator('time').getAttribute('title')).toBe(second);
    expect(await message(2).locator('time').textContent()).not.toContain('d ago');
    await expectWellMade(page, /from-elsewhere/, complaints);
  });

  test('a call leads to its result and back, and both are marked while one is pointed at', async () => {
    await at(thread);
    const jump = page.getByRole('button', { name: /^result at/ }).last();
    await jump.waitFor();
    const result = Number(/\d+/.exec((await jump.textContent())!)![0]);
    await jump.hover();
    await expect.poll(() => page.locator('[data-paired]').count()).toBe(2);
    await jump.click();
    await marked(result);
    await message(result).getByRole('button', { name: /^call at/ }).click(); // prettier-ignore
    await page.waitForURL((url) => Number(url.searchParams.get('seq')) < result);
  });

  test('shows an output as the stub the model sees, its first lines on request, and leads to the viewer', async () => {
    await at(`/threads/${withOutput.thread}?seq=${withOutput.seq}`);
    await marked(withOutput.seq);
    await message(withOutput.seq).getByText('The model sees this stub').waitFor();
    await message(withOutput.seq).getByText(/is stored outside of the context/).waitFor(); // prettier-ignore
    await page.locator('[role=group][aria-label^="Messages"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'First lines of the output' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await message(withOutput.seq).getByRole('link', { name: 'Open in viewer' }).click();
    await page.waitForURL(({ pathname }) => pathname === `/outputs/${withOutput.id}`);
    expect(query().get('thread')).toBe(withOutput.thread);
  });

  test('erased, pinned and picture messages, an open call and a huge text are each shown as what they are', async () => {
    await at('/threads/odd?seq=1');
    await message(1).getByText(/Erased \d{4}/).waitFor(); // prettier-ignore
    await message(2).getByText(/image url: sent to the model, not shown here/).waitFor(); // prettier-ignore
    await message(3).getByText('pinned').waitFor();
    await page.keyboard.press('G');
    await message(5).getByText('open: no result yet').waitFor();
    const more = message(4).getByRole('button', { name: /Show/ });
    for (let i = 0; i < 3; i++) await more.first().click();
    const longestNode = await page.evaluate<number>(longestTextNode);
    expect(longestNode).toBeGreaterThan(20_000);
    expect(longestNode).toBeLessThanOrEqual(64_000);
    await message(5).getByRole('button', { name: 'JSON of message 5' }).click();
    await page.getByRole('group', { name: 'Message 5 as recorded' }).getByText('tool_calls').waitFor();
    await expectWellMade(page, /never push/, complaints);
  });

  test('shows the JSON of a message as it was recorded: its output and its picture whole', async () => {
    const { thread, seq } = withOutput;
    const recorded = page.getByRole('group', { name: `Message ${seq} as recorded` });
    const path = `/v1/threads/${thread}/messages/${seq}`;
    const { body } = await apiOf(rig.stack).call<Schemas['MessageWithNeighbours']>('GET', path);
    const content = (body.data[0]!.message as { content: string }).content;
    await at(`/threads/${thread}?seq=${seq}`);
    await page.route(`**/api${path}?*`, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await message(seq)
      .getByRole('button', { name: `JSON of message ${seq}` })
      .click();
    await message(seq).getByRole('alert').getByText('The API does not answer').waitFor();
    expect(await recorded.count()).toBe(0);
    await page.unroute(`**/api${path}?*`);
    await message(seq).getByRole('button', { name: 'Try again' }).click();
    await recorded.getByText(JSON.stringify(content).slice(0, 200)).waitFor();
    await at('/threads/odd?seq=2');
    await message(2).getByRole('button', { name: 'JSON of message 2' }).click();
    const tree = page.getByRole('group', { name: 'Message 2 as recorded' });
    for (const name of [/^content:/, /^1:/, /^image_url:/]) await tree.getByRole('button', { name }).click();
    await tree.getByText(/"data:image\/png;base64,BwcH/).waitFor();
  });

  test('says which of several people wrote a message', async () => {
    const api = apiOf(rig.stack);
    await api.createThread({ id: 'channel' });
    await api.append('channel', { role: 'user', name: 'anna', content: 'Answer in German.' });
    await at('/threads/channel');
    await message(1).getByText('anna', { exact: true }).waitFor();
    await at('/threads/channel?tab=instructions');
    await page.getByText('anna: Answer in German.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('A53 marks that hide and turn text are shown, in texts, calls, results, names and JSON', async () => {
    const api = apiOf(rig.stack);
    const command = 'rm \u202E/pmt/ fr- \u202C x';
    const name = 'read\u200B_file';
    const call = { id: 'c', type: 'function', function: { name, arguments: JSON.stringify({ command }) } };
    await api.createThread({ id: 'hiding' });
    await api.append(
      'hiding',
      { role: 'user', name: '\u202Enimda', content: `run\u{E0072}\u{E006D}: ${command} 👩‍💻 می‌خواهم` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: command },
    );
    await at('/threads/hiding');
    const shows = (seq: number, ...texts: string[]) =>
      Promise.all(texts.map((text) => message(seq).getByText(text).first().waitFor()));
    await shows(1, 'U+202Enimda', 'runtags “rm”: rm U+202E/pmt/ fr- U+202C x 👩‍💻 می‌خواهم');
    await shows(2, 'readU+200B_file', '"command": "rm U+202E/pmt/ fr- U+202C x"');
    await shows(3, 'readU+200B_file', 'rm U+202E/pmt/ fr- U+202C x');
    await message(3).getByRole('button', { name: 'JSON of message 3' }).click();
    await message(3).getByRole('group').getByText('content: "rm U+202E/pmt/ fr- U+202C x"').waitFor();
    await at('/threads/hiding?q=nimda');
    await expectWellMade(page, /U\+202Enimda/, complaints);
    const hidden = await page.evaluate<string[]>(
      `document.querySelector('#content').innerText.match(/[\\u200B\\u202A-\\u202E]|\\u{E0072}/gu) ?? []`,
    );
    expect(hidden).toEqual([]);
  });

  test('a text that is expanded in one thread is not expanded in another one', async () => {
    const api = apiOf(rig.stack);
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'sh', arguments: `${'x'.repeat(40)}\n`.repeat(60) },
    };
    for (const id of ['twin-a', 'twin-b']) {
      await api.createThread({ id });
      await api.append(
        id,
        { role: 'user', content: `${id}\n`.repeat(60) },
        { role: 'assistant', content: null, tool_calls: [call] },
      );
    }
    await at('/threads?q=twin');
    const expand = (seq: number) => message(seq).getByRole('button', { name: /^Show all/ });
    await page.getByRole('link', { name: 'twin-a', exact: true }).click();
    for (const seq of [1, 2]) {
      await expand(seq).click();
      await message(seq).getByRole('button', { name: 'Show less' }).waitFor();
    }
    await page.goBack();
    await page.getByRole('link', { name: 'twin-b', exact: true }).click();
    await page.waitForURL('**/threads/twin-b');
    for (const seq of [1, 2]) await expand(seq).waitFor({ timeout: 15_000 });
    expect(complaints).toEqual([]);
  });

  test('an empty thread and one that is not there say so', async () => {
    await at('/threads/empty');
    await expectWellMade(page, /No messages yet/, complaints);
    await at('/threads/empty?tab=context');
    await expectWellMade(page, /No messages to send yet/, complaints);
    await at('/threads/never-was');
    await expectWellMade(page, /There is no such thread/, complaints);
  });

  test('a thread that is erased while it is open leaves nothing on the page', async () => {
    const api = apiOf(rig.stack);
    await api.append('gone-soon', { role: 'user', content: 'a word to remember' });
    await at('/threads/gone-soon');
    await page.getByText('a word to remember').waitFor();
    await api.call('DELETE', '/v1/threads/gone-soon');
    await page.getByText('There is no such thread').waitFor();
    expect(await page.getByText('a word to remember').count()).toBe(0);
  });

  test('the map of the thread scrolls by keyboard and says where it is', async () => {
    await at(thread);
    const rail = page.getByRole('slider', { name: 'Map of the thread' });
    await rail.focus();
    await page.keyboard.press('Home');
    await message(1).waitFor();
    await expect.poll(() => rail.getAttribute('aria-valuetext')).toMatch(/^Messages 1 to .*in summary G1/);
    await page.keyboard.press('End');
    await message(lastSeq).waitFor();
  });
});

test('the gauge says its numbers to everybody and leads to a part; a parked thread says why', async () => {
  await at(thread);
  await page.getByText(/\d+% of the trigger; compacts at [\d,]+ tokens/).waitFor();
  const policy = page.getByRole('link', { name: 'Edit policy' });
  expect(await policy.getAttribute('href')).toBe(`/settings/policy?thread=${thread.split('/').at(-1)}`);
  const legend = page.getByRole('list', { name: 'Context window' });
  await legend.getByRole('link', { name: /Summary.*tokens; show them/ }).focus();
  await page.getByText(/The active summary.*of the window/).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('part') === 'summary');
  await page.getByText(/summary G\d+, for messages 1–/).waitFor();
  await at('/threads/stuck');
  await expectWellMade(page, await whyStuck(rig.stack), complaints);
  await page.locator('a[href="/settings/policy?thread=stuck"]').getByText('Edit the policy').waitFor();
});

test('a thread whose window nobody chose says so beside its gauge, with the way to choose one', async () => {
  await at('/threads/odd');
  const warned = page.getByText(/The thread names no model, so its context window is 8,192 tokens\./);
  await warned.waitFor();
  expect(await warned.getByRole('link', { name: 'View models' }).getAttribute('href')).toBe(
    '/settings/models',
  );
  await at(thread);
  await page.getByText(/of the trigger; compacts at/).waitFor();
  expect(await warned.count()).toBe(0);
  expect(complaints).toEqual([]);
});

describe('the context', () => {
  test('is that of any message: by number, by arrow keys, by compaction, and it stays in the address', async () => {
    const api = apiOf(rig.stack);
    await at(`${thread}?tab=context&at=7`);
    await page.getByText('As of message 7').waitFor();
    const sent = await api.context(longest, '?at=7');
    await page.getByRole('button', { name: `Copy ${sent.messages.length} messages as JSON` }).click();
    expect(JSON.parse(await copied())).toEqual(sent.messages);
    const slider = page.getByRole('slider', { name: /^Message/ });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('As of message 8').waitFor();
    const asOf = (await api.summaries(longest))[0]!.as_of_seq;
    await page.keyboard.press('PageUp');
    await page.waitForURL((url) => Number(url.searchParams.get('at') ?? lastSeq) === asOf);
    await page.getByLabel('What the model saw at message').fill('3');
    await page.getByText('As of message 3').waitFor();
    await page.getByRole('button', { name: 'How exact is this?' }).click();
    await page.getByText(/while message N was the newest/).waitFor();
    await expectWellMade(page, /As of message 3/, complaints);
  });

  test('is written in each format exactly as the API sends it, with a curl that gives the same', async () => {
    const api = apiOf(rig.stack);
    for (const format of ['responses', 'anthropic', 'ai-sdk']) {
      await at(`${thread}?tab=context`);
      await page.getByText('As of now').waitFor();
      await page.getByLabel('Format of the messages').selectOption(format);
      await page.waitForURL((url) => url.searchParams.get('format') === format);
      const sent = await api.context(longest, `?format=${format}`);
      await page.getByRole('button', { name: `Copy ${sent.messages.length} messages as JSON` }).click();
      await expect.poll(async () => JSON.parse(await copied()) as unknown).toEqual(sent.messages);
    }
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await until('the curl is copied', async () => (await copied()).startsWith('curl'));
    const [, address, path] = /SPILLWAY_URL:-(http[^}]+)\}([^"]+)"/.exec(await copied())!;
    expect(address).toBe(rig.stack.url);
    expect(await api.call('GET', path!)).toMatchObject({ status: 200, body: { format: 'ai-sdk' } });
    expect(complaints).toEqual([]);
  });

  test('keeps its picture while another one is on its way', async () => {
    await at(`${thread}?tab=context&at=7`);
    await page.getByText('As of message 7').waitFor();
    await page.route(/context\?.*at=9/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await route.continue();
    });
    await page.getByLabel('What the model saw at message').fill('9');
    await page.getByText('Loading message 9').waitFor();
    expect(await page.getByRole('group', { name: 'Messages of the context' }).locator('article').count()).toBeGreaterThan(2); // prettier-ignore
    await page.getByText('Loading message 9').waitFor({ state: 'hidden' });
  });

  test('shows the messages at every place, below a system prompt that is expanded and collapsed', async () => {
    const api = apiOf(rig.stack);
    const system = Array.from({ length: 400 }, (_, i) => `Rule ${i + 1}: keep it short.`).join('\n');
    await api.createThread({ id: 'long-prompt', system, policy: { context: { context_window: 128_000 } } });
    const say = (n: number) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `Message of place ${n + 1}.`,
    });
    await api.append('long-prompt', ...Array.from({ length: 120 }, (_, n) => say(n)));
    await at('/threads/long-prompt?tab=context');
    const list = page.getByRole('group', { name: 'Messages of the context' });
    const inList = 'const list = document.querySelector("[aria-label=\'Messages of the context\']");';
    /** The places of the messages that are seen at the top, in the middle and at the bottom of the view. */
    const seen = () =>
      page.evaluate<[number, number, number]>(`(() => {
        ${inList}
        const { left, top, width, height } = list.getBoundingClientRect();
        return [10, height / 2, height - 10].map((y) => {
          const row = document.elementFromPoint(left + width / 2, top + y)?.closest('[aria-posinset]');
          return row ? Number(row.ariaPosInSet) : 0;
        });
      })()`);
    const scrollTo = (place: string) => page.evaluate(`(() => { ${inList} list.scrollTop = ${place}; })()`);
    const startOfList =
      'list.scrollTop + list.querySelector("ol").getBoundingClientRect().top - list.getBoundingClientRect().top';
    const isAtStart = async () => {
      const [top, middle, bottom] = await seen();
      return top === 1 && middle > top && bottom > middle;
    };
    await list.getByRole('button', { name: /^Show all/ }).click();
    await scrollTo(startOfList);
    await until('the first message is at the top', isAtStart);
    await scrollTo('list.scrollHeight');
    await until('the last message is at the bottom', async () => (await seen())[2] === 120);
    await scrollTo('0');
    await list.getByRole('button', { name: 'Show less' }).click();
    await scrollTo(startOfList);
    await until('the first message is at the top again', isAtStart);
    await expectWellMade(page, /Message of place 1\./, complaints);
  });

  test('of a rewound message is what the model saw while that was the newest', async () => {
    const api = apiOf(rig.stack);
    for (const content of ['Book a table.', 'For four.', 'At eight.'])
      await api.append('taken-back', { role: 'user', content });
    expect((await api.call('POST', '/v1/threads/taken-back/rewind', { to_seq: 1 })).status).toBe(200);
    await at('/threads/taken-back?seq=3');
    await message(3).getByRole('link', { name: 'Context here' }).click();
    await page.getByText('As of message 3').waitFor();
    const sent = await api.context('taken-back', '?at=3');
    expect(sent.messages.length).toBe(3);
    await page.getByRole('button', { name: 'Copy 3 messages as JSON' }).click();
    expect(JSON.parse(await copied())).toEqual(sent.messages);
    const slider = page.getByRole('slider', { name: /^Message/ });
    expect(await slider.getAttribute('aria-valuemax')).toBe('3');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('As of message 2').waitFor();
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByText('As of now').waitFor();
    expect(query().has('at')).toBe(false);
    await page.getByLabel('Compare with message').fill('3');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('From message 1 to 3: 0 messages left the context, 2 came, 1 stayed').waitFor();
    await expectWellMade(page, /left the context/, complaints);
  });

  test('in a comparison is labelled with its own message, also while another one is on its way', async () => {
    await at(`${thread}?tab=context&at=7&with=3`);
    const words = (from: number, to: number) => page.getByText(`From message ${from} to ${to}:`);
    await words(3, 7).waitFor();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/context\?.*at=(9|5)/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('What the model saw at message').fill('9');
    await page.getByText('Loading message 9').waitFor();
    expect(await words(3, 7).count()).toBe(1);
    expect(await page.getByText('As of message 7').count()).toBe(1);
    await page.getByRole('button', { name: 'End the comparison with 3' }).click();
    await page.getByLabel('Compare with message').fill('5');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'End the comparison with 5' }).waitFor();
    expect(await words(3, 7).count()).toBe(1);
    letGo();
    await words(5, 9).waitFor();
    await page.getByText('As of message 9').waitFor();
  });

  test('of two messages are compared: what left, what came', async () => {
    await at(`${thread}?tab=context&at=7`);
    await page.getByLabel('Compare with message').fill(String(lastSeq));
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('with') === String(lastSeq));
    await page.getByRole('region', { name: /Added by/ }).getByText(/^G\d+$/).waitFor(); // prettier-ignore
    await page
      .getByRole('region', { name: 'Removed since 7' })
      .getByText(/^message \d$/)
      .first()
      .waitFor();
    await expectWellMade(page, /left the context/, complaints);
  });
});

describe('a search in the thread', () => {
  test('begins with a slash, goes from hit to hit, marks them, and is in the address', async () => {
    // In messages that are shown whole: the stub of an output may leave the words of a hit out.
    const word = 'clean';
    await at(thread);
    await message(lastSeq).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === word);
    const hits = page.getByRole('region', { name: 'Search hits' });
    await hits.getByText(/in summary G\d/).first().waitFor(); // prettier-ignore
    await hits.locator('mark').first().waitFor();
    // Each snippet is cut after three lines: its first marked word is in them.
    const hidden = await page.evaluate<number>(`[...document.querySelectorAll('[aria-label="Hits"] li')]
      .map((hit) => hit.querySelector('mark'))
      .filter((mark) => mark && mark.getBoundingClientRect().top >= mark.parentElement.getBoundingClientRect().bottom)
      .length`);
    expect(hidden).toBe(0);
    await hits.getByRole('button', { name: 'Next hit' }).click();
    await hits.getByText(/^1 of/).waitFor();
    await page.locator('article[data-selected="true"][data-hit="true"] mark').first().waitFor();
    await page.locator('[role=group][aria-label^="Messages"]').focus();
    await page.keyboard.press('n');
    await hits.getByText(/^2 of/).waitFor();
    await page.keyboard.press('N');
    await hits.getByText(/^1 of/).waitFor();
    await expectWellMade(page, /1 of/, complaints);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await hits.waitFor({ state: 'hidden' });
    expect(query().has('q')).toBe(false);
  });

  test('a hit inside an offloaded output leads to the viewer at its line', async () => {
    const path = `/v1/outputs/${withOutput.id}/content?lines=30`;
    const { body } = await apiOf(rig.stack).call<string>('GET', path);
    const word = body.match(/[A-Za-z_]{6,}/)![0];
    await at(`/threads/${withOutput.thread}?q=${encodeURIComponent(word)}`);
    const link = page.getByRole('link', { name: /Open the output at line/ }).first();
    await link.click();
    await page.waitForURL(/\/outputs\/out_[0-9a-f]+\?line=\d+/);
    expect(complaints).toEqual([]);
  });

  test('that finds nothing says so', async () => {
    await at(`${thread}?q=zzzyyyxxx`);
    await expectWellMade(page, /Nothing found/, complaints);
  });
});

test('a table that is there stays when its next page or a later read of it fails', async () => {
  await apiOf(rig.stack).append('told', {
    role: 'user',
    content: 'The garden gate stays open. The owner is the platform group. Never push to main.',
  });
  const cell = (name: string) => page.getByRole('cell', { name, exact: true });
  for (const [path, list, shown] of [
    [`${thread}?tab=compactions`, 'compactions', page.getByRole('group', { name: 'Compaction attempts' })],
    [`/threads/${withOutput.thread}?tab=outputs`, 'outputs', page.getByRole('group', { name: 'Outputs' })],
    ['/threads/told?tab=instructions', 'instructions', cell('Never push to main.')],
    ['/threads/told?tab=instructions', 'instructions', cell('The owner is the platform group.')],
  ] as const) {
    let [isBroken, refused] = [false, 0];
    const route = `**/api/v1/threads/*/${list}?*`;
    const refuse = { status: 500, contentType: 'application/problem+json' };
    await page.route(route, async (asked) => {
      if (isBroken || asked.request().url().includes('cursor=')) {
        refused++;
        const problem = { title: 'Internal error', status: 500, detail: 'It broke.', code: 'internal' };
        return asked.fulfill({ ...refuse, body: JSON.stringify(problem) });
      }
      const response = await asked.fetch();
      return asked.fulfill({
        response,
        json: { ...((await response.json()) as object), next_cursor: 'next' },
      });
    });
    await at(path);
    await shown.waitFor();
    // A page that becomes live reads everything once more, which would take the failure of its next page away.
    await page.getByRole('status').filter({ hasText: 'Live' }).first().waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('alert').getByText('It broke.').waitFor();
    expect(await shown.count()).toBe(1);
    isBroken = true;
    const before = refused;
    // Of the instructions there are two lists.
    await until('it is read again', async () => {
      // The window's own: that of the document would also open the stream of events anew, each time.
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      return refused >= before + 2;
    });
    await page.waitForTimeout(300);
    expect(await shown.count()).toBe(1);
    expect(await page.getByRole('heading', { name: 'Internal error' }).count()).toBe(0);
    await page.unroute(route);
  }
});

test('Back leads through the tabs and links that were followed, and then to the page before', async () => {
  await at('/threads');
  await page.getByRole('link', { name: longest, exact: true }).click();
  await page.getByRole('tab', { name: /^compactions/ }).click();
  await page.getByRole('tab', { name: /^outputs/ }).click();
  await page.getByRole('tabpanel').getByRole('link', { name: /^\d+$/ }).first().click();
  await page.waitForURL(/seq=/);
  for (const tab of ['outputs', 'compactions', null]) {
    await page.goBack();
    await page.getByRole('tab', { name: tab ?? 'messages', selected: true }).waitFor();
    expect(query().get('tab')).toBe(tab);
  }
  await page.goBack();
  await page.waitForURL('**/threads');
});

test('a thread is exported from its header, with a safe name', async () => {
  await at(thread);
  for (const [format, extension] of [['JSONL', 'jsonl'], ['Markdown', 'md']] as const) {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`thread-${longest}.${extension}`);
    expect(await file.failure()).toBe(null);
  } // prettier-ignore
});

test('a person with a phone reads the timeline and the context', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [thread, `${thread}?q=the`, `${thread}?tab=context`]) {
    await at(path);
    await expectWellMade(page, /of the trigger/, complaints);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  }
});

test('an expired output says so in the timeline', async () => {
  await expireOutput(rig.stack, withOutput.id);
  await at(`/threads/${withOutput.thread}?seq=${withOutput.seq}`);
  await message(withOutput.seq).getByText('Output expired').waitFor();
  await message(withOutput.seq).getByText(/Its bytes are gone/).waitFor(); // prettier-ignore
  expect(complaints).toEqual([]);
});
