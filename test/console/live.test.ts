// @module-tag long
import { apiOf, rowsOf, until, type Api, type Stack } from '@spillway/testing';
import type { Page, Request, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startReceiver } from '../events/webhook-receiver.js';
import { expectWellMade, startConsoleRig, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig<Stack>;
let api: Api;
let page: Page;
let complaints: string[];
beforeAll(async () => {
  // A server of its own: a long writing transaction of another file's stack would hold its events back (docs/events.md).
  rig = await startConsoleRig({
    ownPostgres: true,
    env: { SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1', SPILLWAY_POLL_MS: '500' },
  });
  api = apiOf(rig.stack);
});
afterAll(() => rig?.stop());
beforeEach(async () => {
  ({ page, complaints } = await rig.open());
  // Notes every event that the page's own stream hands it.
  await page.addInitScript(`
    window.seen = [];
    const Plain = window.EventSource;
    window.EventSource = class extends Plain {
      addEventListener(type, listener, options) {
        super.addEventListener(type, (event) => { if (event.lastEventId) window.seen.push(JSON.parse(event.data)); }, options);
        super.addEventListener(type, listener, options);
      }
    };`);
  await rig.signIn(page);
});
afterEach(() => rig.close(page));

const say = (thread: string, content: string) => api.append(thread, { role: 'user', content });
const isLive = () =>
  page.getByRole('status').filter({ hasText: 'Live' }).first().waitFor({ timeout: 20_000 });

/** Opens a thread and waits until it is followed. A page that was loaded anew loses the mark. */
async function follow(thread: string): Promise<void> {
  await page.goto(`${rig.site.url}/threads/${thread}`);
  await isLive();
  await page.evaluate('window.stillHere = true');
}
const wasNotReloaded = async () => expect(await page.evaluate('window.stillHere')).toBe(true);

/** Counts what a page asks of the API about a thread. */
function requestsFor(thread: string, of: Page): () => number {
  let count = 0;
  of.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith(`/api/v1/threads/${thread}`)) count++;
  });
  return () => count;
}

describe('a thread that is looked at', () => {
  test('shows messages that its stream tells of, and asks for less than half of what a page that polls asks for', async () => {
    await say('watched', 'the first one');
    await follow('watched');
    const { page: polling } = await rig.open();
    await rig.signIn(polling);
    await polling.route('**/api/v1/events*', (route) => route.abort());
    await rig.visit(polling, '/threads/watched');
    await polling.getByRole('status').filter({ hasText: 'Polling' }).first().waitFor();
    const [streamed, polled] = [requestsFor('watched', page), requestsFor('watched', polling)];
    const polls = async (n: number) => {
      const [ofStreamed, ofPolled] = [streamed(), polled()];
      await until(`${n} polls`, () => Promise.resolve(polled() >= ofPolled + n), 120_000);
      return streamed() - ofStreamed;
    };
    // What the page asks for when it has just become live is answered by then.
    await polls(2);
    // While it is live it asks once in half a minute, for what no event tells.
    expect(await polls(8)).toBeLessThanOrEqual(4);
    for (const text of ['said meanwhile', 'said again', 'said at last']) {
      await say('watched', text);
      await page.getByText(text, { exact: true }).waitFor();
      await polling.getByText(text, { exact: true }).waitFor();
    }
    await rig.close(polling);
    await wasNotReloaded();
    expect(complaints).toEqual([]);
  });

  test('shows a compaction as it happens: the gauge moves, the summary is named', async () => {
    const policy = { context: { context_window: 8_000, trigger_ratio: 0.6 } };
    await api.createThread({ id: 'gauged', policy });
    const filler = (n: number) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `${n} ${'All work. '.repeat(60)}`,
    });
    await api.append('gauged', ...Array.from({ length: 15 }, (_, i) => filler(i)));
    await follow('gauged');
    await page.getByText('none yet').waitFor();
    const gauge = () =>
      page
        .getByText(/[\d,]+ of 8,000/)
        .first()
        .innerText();
    const before = await gauge();
    await api.append('gauged', ...Array.from({ length: 20 }, (_, i) => filler(15 + i)));
    await until('it is compacted', async () => (await api.thread('gauged')).compaction.generation > 0);
    await page.getByText(/generation 1, through/).waitFor();
    await until('the gauge has moved', async () => (await gauge()) !== before);
    await wasNotReloaded();
  });
});

test('messages that came while another tab was shown are there when one comes back', async () => {
  await say('elsewhere', 'before');
  await follow('elsewhere');
  await page.getByRole('article', { name: 'Message 1' }).getByText('before').waitFor();
  await page.getByRole('tab', { name: 'Context' }).click();
  await say('elsewhere', 'said meanwhile');
  await page.getByText('said meanwhile').waitFor();
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('article', { name: 'Message 2' }).getByText('said meanwhile').waitFor();
  await wasNotReloaded();
});

/** Holds answers back, each as it was when it came from the API, until they are let go. */
function holdAnswers(): { hold: (route: Route) => Promise<void>; letGo: () => Promise<void> } {
  const held: (() => Promise<void>)[] = [];
  return {
    hold: async (route) => {
      const response = await route.fetch();
      held.push(() => route.fulfill({ response }));
    },
    letGo: async () => {
      await until('an answer is held back', () => Promise.resolve(held.length > 0));
      for (const go of held.splice(0)) await go();
    },
  };
}

test('messages recorded while their block is read appear when the read ends, which they do not cancel', async () => {
  const texts = Array.from({ length: 51 }, (_, i) => ({ role: 'user', content: `message ${i + 1}` }));
  await api.createThread({ id: 'while-read' });
  await api.append('while-read', ...texts);
  await page.goto(`${rig.site.url}/threads/while-read?seq=1`);
  await isLive();
  await page.getByText('message 1', { exact: true }).waitFor();
  const cancelled: string[] = [];
  page.on('requestfailed', (request) => cancelled.push(new URL(request.url()).pathname));
  const { hold, letGo } = holdAnswers();
  await page.route('**/threads/while-read/messages?*', hold);
  const recorded = (count: number) => page.getByRole('tab', { name: `messages ${count}` }).waitFor();
  // The first read of the block that begins at message 51.
  await page.keyboard.press('G');
  await until('it is asked for', async () => (await page.getByLabel('Loading').count()) > 0);
  await say('while-read', 'message 52');
  await recorded(52);
  await letGo();
  await page.getByText('message 51', { exact: true }).waitFor();
  await letGo();
  await page.getByText('message 52', { exact: true }).waitFor();
  // A later one, while messages come faster than it ends.
  for (const count of [53, 54, 55]) {
    await say('while-read', `message ${count}`);
    await recorded(count);
  }
  await letGo();
  await page.getByText('message 53', { exact: true }).waitFor();
  await letGo();
  await page.getByText('message 55', { exact: true }).waitFor();
  expect(cancelled.filter((path) => path.endsWith('/messages'))).toEqual([]);
});

test('a message that was erased after its block left the cache comes back erased', async () => {
  const texts = Array.from({ length: 200 }, (_, i) => ({ role: 'user', content: `message ${i + 1}` }));
  await api.createThread({ id: 'forgotten' });
  await api.append('forgotten', ...texts);
  // What is not looked at leaves the cache after five minutes; here it is a second.
  await page.addInitScript(`
    const plain = window.setTimeout;
    window.setTimeout = (run, ms, ...args) => plain(run, ms === 300_000 ? 1_000 : ms, ...args);`);
  const untilDropped = () => page.waitForTimeout(2_000);
  await follow('forgotten');
  const message = (seq: number) => page.getByRole('article', { name: `Message ${seq}`, exact: true });
  /** Erases a message, and waits until the page has acted upon the event: it would read again what it shows. */
  const erase = async (seq: number) => {
    const changes = () =>
      page.evaluate<number>(`window.seen.filter(({ type }) => type === 'thread.changed').length`);
    const before = await changes();
    expect((await api.call('DELETE', `/v1/threads/forgotten/messages/${seq}`)).status).toBe(204);
    await until('the page was told', async () => (await changes()) > before);
    await page.waitForTimeout(500);
  };
  await message(200).getByText('message 200', { exact: true }).waitFor();
  for (const key of ['g', 'g']) await page.keyboard.press(key);
  await message(1).getByText('message 1', { exact: true }).waitFor();
  await untilDropped();
  await erase(200);
  await page.keyboard.press('G');
  await message(200)
    .getByText(/Erased \d{4}/)
    .waitFor();
  expect(await page.getByText('message 200', { exact: true }).count()).toBe(0);
  // The address follows a moment later.
  await page.waitForURL(({ searchParams }) => searchParams.get('seq') !== '1');
  // Back shows the page as the router keeps it, with the messages that came with it.
  await page.getByRole('navigation').getByRole('link', { name: 'Threads' }).click();
  await page.waitForURL('**/threads');
  await untilDropped();
  await erase(199);
  await page.goBack();
  await message(199)
    .getByText(/Erased \d{4}/)
    .waitFor();
  expect(await page.getByText('message 199', { exact: true }).count()).toBe(0);
});

describe('what somebody else erases leaves an open page', () => {
  const secret = 'The vault opens with 4711';
  const erase = async (thread: string, seq: number) =>
    expect((await api.call('DELETE', `/v1/threads/${thread}/messages/${seq}`)).status).toBe(204);
  const isGone = () => expect.poll(() => page.getByText(secret).count(), { timeout: 60_000 }).toBe(0);

  test('in the context of an older message and in the hits of a search', async () => {
    for (const [id, view] of [
      ['erased-context', 'tab=context&at=2'],
      ['erased-hits', 'q=vault'],
    ]) {
      for (const text of [secret, 'second', 'third']) await say(id!, text);
      await follow(`${id}?${view}`);
      const shown =
        view === 'q=vault' ? page.getByRole('region', { name: 'Search hits' }) : page.getByRole('tabpanel');
      await shown.getByText(/vault/).first().waitFor();
      await erase(id!, 1);
      await isGone();
      await wasNotReloaded();
    }
    expect(complaints).toEqual([]);
  });

  test('also while no event arrives: within seconds, on every tab and in a summary', async () => {
    const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
    const filler = (n: number) => ({ role: 'assistant', content: `${n} ${'All work. '.repeat(60)}` });
    await page.route('**/api/v1/events*', (route) => route.abort());
    for (const [id, view] of [
      ['polled-messages', ''],
      ['polled-context', '?tab=context&at=2'],
      ['polled-hits', '?q=vault'],
      ['polled-summary', '?tab=summaries'],
    ]) {
      await api.createThread({ id: id!, policy });
      await api.append(id!, { role: 'user', content: `Never forget this: ${secret}.` }, filler(1), filler(2));
      if (view === '?tab=summaries') {
        await api.append(id!, ...Array.from({ length: 30 }, (_, i) => filler(i)));
        await until('it is compacted', async () => {
          const { generation, state } = (await api.thread(id!)).compaction;
          return generation > 0 && state === 'idle';
        });
      }
      await rig.visit(page, `/threads/${id}${view}`);
      await page.getByRole('status').filter({ hasText: 'Polling' }).first().waitFor();
      await page.evaluate('window.stillHere = true');
      await page.getByText(secret).first().waitFor();
      await erase(id!, 1);
      await isGone();
      await wasNotReloaded();
    }
  });

  test('in the call that an output answers, and in the first lines of a deleted output', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'sh', arguments: JSON.stringify({ cmd: secret }) },
    };
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`).join('\n');
    const posted = await api.append(
      'erased-call',
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: lines },
    );
    const { id } = posted.messages[1]!.output!;
    // Asked for once when the page becomes live: after that, an event has it asked for again.
    const live = page.waitForResponse(
      (response) => new URL(response.url()).pathname === `/api/v1/outputs/${id}`,
    );
    await rig.visit(page, `/outputs/${id}`);
    await page.getByRole('link', { name: secret }).waitFor();
    await live;
    await erase('erased-call', 1);
    await isGone();
    await follow('erased-call');
    await page.getByRole('button', { name: 'Show its first lines' }).click();
    const first = page.getByRole('group', { name: 'First lines of the output' });
    await first.waitFor();
    await rowsOf(
      rig.stack.databaseUrl,
      `UPDATE outputs SET state = 'deleting', delete_after = now() WHERE id = $1`,
      [id],
    );
    await page.getByText('Its bytes are gone').waitFor();
    expect(await first.count()).toBe(0);
    await wasNotReloaded();
  });
});

test('instructions that the user gives are listed at once, and what may be one too', async () => {
  await say('told', 'The build is red.');
  await follow('told?tab=instructions');
  await page.getByText('No standing instructions').waitFor();
  await say('told', 'The garden gate stays open. Never push to main.');
  await page.getByRole('cell', { name: 'Never push to main.', exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'May be instructions' })
    .getByRole('cell', { name: 'The garden gate stays open.', exact: true })
    .waitFor();
  await wasNotReloaded();
});

test('messages that cannot be read say so in place, and are there after another try', async () => {
  const texts = Array.from({ length: 200 }, (_, i) => ({ role: 'user', content: `message ${i + 1}` }));
  await api.createThread({ id: 'unread' });
  await api.append('unread', ...texts);
  await rig.visit(page, '/threads/unread');
  await page.getByText('message 200', { exact: true }).waitFor();
  const messages = '**/api/v1/threads/unread/messages?*';
  await page.route(messages, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Internal error', status: 500, detail: 'It broke.', code: 'internal' }),
    }),
  );
  await page.getByLabel('Go to message').fill('151');
  await page.keyboard.press('Enter');
  const list = page.getByRole('group', { name: /^Messages\./ });
  await list.getByText('message 151', { exact: true }).waitFor();
  await page.getByRole('alert').getByText('It broke.').waitFor();
  await list.getByText('Not loaded').first().waitFor();
  expect(await list.getByLabel('Loading').count()).toBe(0);
  await expectWellMade(page, /It broke/, []);
  await page.unroute(messages);
  await page.getByRole('button', { name: 'Try again' }).click();
  await list.getByText('message 150', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
});

test('a computer that lost its network still shows an API that it reaches', async () => {
  await say('offline', 'before');
  await follow('offline');
  await page.evaluate(`window.dispatchEvent(new Event('offline'))`);
  await page.getByRole('tab', { name: 'Context' }).click();
  await page.getByRole('tabpanel').getByText('before').waitFor();
  await wasNotReloaded();
});

test('messages that are rewound are marked at once, at the end and between others, in a contrast to read', async () => {
  await api.createThread({ id: 'goes-back' });
  for (const text of ['Book a table for two', 'Book a table for four']) await say('goes-back', text);
  await follow('goes-back');
  const message = (seq: number) => page.locator(`article[aria-label="Message ${seq}"]`);
  const mark = page.getByText('rewound', { exact: true });
  await message(2).waitFor();
  expect(await mark.count()).toBe(0);
  expect((await api.call('POST', '/v1/threads/goes-back/rewind', { to_seq: 1 })).status).toBe(200);
  await message(2)
    .and(page.locator('article', { has: mark }))
    .waitFor();
  await expectWellMade(page, /Book a table for four/, complaints);
  await say('goes-back', 'Book a table for six');
  await message(3).getByText('Book a table for six').waitFor();
  expect(await mark.count()).toBe(1);
  await wasNotReloaded();
  await rig.visit(page, '/threads/goes-back?tab=context');
  const context = page.locator('main');
  await context.getByText('Book a table for six').first().waitFor();
  expect(await context.getByText('Book a table for four').count()).toBe(0);
});

test('the list of threads and the jobs follow as well', async () => {
  await page.goto(`${rig.site.url}/threads`);
  await isLive();
  await say('brand-new', 'hello');
  await page.getByText('brand-new').waitFor();
  await page.goto(`${rig.site.url}/jobs?tab=parked`);
  await isLive();
  await api.createThread({
    id: 'stuck',
    system: 'word '.repeat(6_000),
    policy: { context: { context_window: 8_000 } },
  });
  await say('stuck', 'hello');
  await page.getByRole('link', { name: 'stuck' }).waitFor();
  expect(await page.getByRole('link', { name: 'stuck' }).isVisible()).toBe(true);
});

test('a stream that is cut off by a restart of the API goes on where it ended, and the page says how it is', async () => {
  await say('cut-off', 'before');
  await follow('cut-off');
  await say('cut-off', 'during');
  await page.getByText('during', { exact: true }).waitFor();
  // Another process takes what is posted while the console's is away.
  const other = await rig.stack.startApi();
  const elsewhere = apiOf({ url: other.url, key: rig.stack.key });
  const resumed = page.waitForRequest((request) => request.url().includes('last_event_id='), {
    timeout: 60_000,
  });
  await rig.stack.api.stop();
  await page.getByText('Polling').or(page.getByText('Reconnecting')).first().waitFor();
  for (let n = 0; n < 10; n++)
    await elsewhere.append('cut-off', { role: 'user', content: `while away ${n}` });
  await resumed;
  await rig.stack.restart(rig.stack.api);
  await isLive();
  await page.getByText('while away 9', { exact: true }).waitFor();
  interface Seen {
    thread_id: string;
    id: string;
    data: { to_seq: number };
  }
  const received = await until('all events were told', async () => {
    const seen = await page.evaluate<Seen[]>('window.seen');
    const mine = seen.filter((event) => event.thread_id === 'cut-off');
    return mine.length >= 11 && mine;
  });
  expect(received.map((event) => event.data.to_seq)).toEqual(Array.from({ length: 11 }, (_, i) => i + 2));
  await wasNotReloaded();
  await other.stop();
});

test('a page that is opened during an outage appears once the API is back', async () => {
  await say('opened-early', 'worth the wait');
  const running = rig.stack.apis[0]!;
  await running.stop();
  await page.goto(`${rig.site.url}/threads/opened-early`);
  await page.getByRole('alert').getByText('The API does not answer').waitFor();
  await page.evaluate('window.stillHere = true');
  await rig.stack.restart(running);
  await page.getByText('worth the wait', { exact: true }).waitFor({ timeout: 30_000 });
  await wasNotReloaded();
});

test('a key that may not read events is not used to ask for them', async () => {
  const { body } = await api.call<{ key: string }>('POST', '/v1/keys', {
    name: 'no events',
    scopes: ['threads:manage'],
  });
  const { page: other, refusals } = await rig.open();
  const asked: string[] = [];
  other.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await rig.enterKey(other, body.key);
  await other.goto(`${rig.site.url}/settings/keys`);
  await other.getByText('You are signed in with').waitFor();
  await other.waitForTimeout(3_000);
  expect(asked).not.toContain('/api/v1/events');
  expect(asked).toContain('/api/v1/sessions/current');
  expect(refusals).not.toContain('/api/v1/events');
  await rig.close(other);
});

test('a context that could not be read during an outage is there after it, and the page says so until then', async () => {
  await say('gauged-outage', 'before');
  await follow('gauged-outage');
  await say('gauged-outage', 'an event to resume after');
  await page.getByText('an event to resume after').waitFor();
  const gauge = page.getByRole('list', { name: 'Context window' });
  await gauge.waitFor();
  // The thread is read once more before the API is away, its context is not.
  const context = '**/api/v1/threads/gauged-outage/context?*';
  await page.route(context, (route) => route.abort());
  await say('gauged-outage', 'the last one before the outage');
  await page.getByText('the last one before the outage').waitFor();
  await gauge.waitFor({ state: 'detached' });
  const state = page.getByRole('status').filter({ hasText: /^(Live|Polling|Reconnecting)$/ });
  await state.filter({ hasText: 'Reconnecting' }).waitFor();
  const cutOff = page.waitForRequest((request) => request.url().includes('last_event_id='));
  const running = rig.stack.apis[0]!;
  await running.stop();
  await cutOff;
  await page.unroute(context);
  await rig.stack.restart(running);
  await gauge.waitFor();
  await state.filter({ hasText: 'Live' }).waitFor();
  await wasNotReloaded();
});

test('a tab that nobody looks at keeps no stream, and catches up when somebody does', async () => {
  const underWay = new Set<Request>();
  const over = (request: Request) => underWay.delete(request);
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', over).on('requestfailed', over);
  await say('hidden', 'before');
  await follow('hidden');
  const hide = (state: string) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await hide('hidden');
  await page.getByText('Paused').waitFor();
  // A question that was asked before may be answered with what comes after.
  await until('nothing is asked any more', () => Promise.resolve(underWay.size === 0));
  await say('hidden', 'nobody looks');
  await page.waitForTimeout(1_500);
  expect(await page.getByText('nobody looks').count()).toBe(0);
  await hide('visible');
  await page.getByText('nobody looks').waitFor();
  await isLive();
});

test('a tab that was hidden for hours asks for everything again, since events may be gone by then', async () => {
  await say('long-away', 'before');
  await follow('long-away');
  // The stream resumes after the last event that it had.
  await say('long-away', 'an event');
  await page.getByText('an event', { exact: true }).waitFor();
  const look = async (state: 'hidden' | 'visible') => {
    await page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    );
    await page.getByText(state === 'hidden' ? 'Paused' : 'Live', { exact: true }).waitFor();
  };
  const pass = (minutes: number) =>
    page.evaluate(`{ const plain = Date.now; Date.now = () => plain() + ${minutes * 60_000}; }`);
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/threads/long-away/messages')) asked++;
  });
  await look('hidden');
  await pass(50);
  await look('visible');
  await say('long-away', 'an event that was kept');
  await page.getByText('an event that was kept').waitFor();
  expect(asked).toBe(1);
  await look('hidden');
  await pass(120);
  await look('visible');
  await until('its messages are asked for again', () => Promise.resolve(asked === 2));
});

test('the console passes a stream on as one, and only to who is signed in', async () => {
  await rig.visit(page, '/');
  const response = await page.evaluate<{ type: string | null; status: number }>(
    `fetch('/api/v1/events').then(async (answer) => {
       await answer.body.cancel();
       return { type: answer.headers.get('content-type'), status: answer.status };
     })`,
  );
  expect(response).toEqual({ type: 'text/event-stream; charset=utf-8', status: 200 });
  expect((await fetch(`${rig.site.url}/api/v1/events`)).status).toBe(401);
});

test('tabs that are opened and closed leave no streams behind', async () => {
  for (let n = 0; n < 12; n++) {
    await page.goto(`${rig.site.url}/threads`);
    await isLive();
  }
  expect(complaints).toEqual([]);
});

describe('webhooks', () => {
  test('one is added, its secret shown once, tested, and what was sent can be sent again', async () => {
    await page.goto(`${rig.site.url}/settings/webhooks`);
    await expectWellMade(page, /No webhooks yet/, complaints);
    const receiver = await startReceiver();
    // The session may be of a test long before: then the form would ask for its key first.
    await rowsOf(rig.stack.databaseUrl, 'UPDATE sessions SET proved_at = now()');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/x');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByText('must use https').waitFor();
    await dialog.getByLabel('URL').fill('https://10.0.0.1/x');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByText('must not resolve to a private network').waitFor();
    complaints.length = 0;
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    receiver.secret = await dialog.getByText(/^whsec_/).innerText();
    await expectWellMade(page, /shown only once/, complaints);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(receiver.secret);

    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('row', { name: /webhook\.test delivered 200/ }).waitFor({ timeout: 15_000 });
    expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test']);
    await expectWellMade(page, /webhook\.test/, complaints);
    await page.getByRole('button', { name: 'Redeliver' }).first().click();
    await until('it came again', () => Promise.resolve(receiver.received.length === 2));

    await page.getByRole('button', { name: `Remove ${receiver.url}` }).click();
    await page.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await receiver.stop();
  });

  test('its secret is rotated after a warning, the new one is shown once, and the page says until when both sign', async () => {
    const receiver = await startReceiver();
    const made = await api.call<{ id: string; secret: string }>('POST', '/v1/webhooks', {
      url: receiver.url,
    });
    receiver.secret = made.body.secret;
    await rowsOf(rig.stack.databaseUrl, 'UPDATE sessions SET proved_at = now()');
    await rig.visit(page, '/settings/webhooks');
    const dialog = page.getByRole('dialog');
    const rotate = async (): Promise<void> => {
      await page.getByRole('button', { name: `Rotate the secret of ${receiver.url}` }).focus();
      await page.keyboard.press('Enter');
      await dialog.getByText('The old one cannot be restored.').waitFor();
    };
    await rotate();
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Cancel');
    await expectWellMade(page, /it loses none/, complaints);
    await dialog.getByRole('button', { name: 'Rotate the secret', exact: true }).click();
    const shown = dialog.getByTestId('shown-once');
    const second = await shown.innerText();
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(made.body.secret);
    await expectWellMade(page, /The old secret signs too until \d{4}-/, complaints);
    await dialog.getByRole('button', { name: 'Copy the secret' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(second);
    await page.getByText(/^old secret ends/).waitFor();
    await expectWellMade(page, /in (23 h|1 d)/, complaints);
    const send = async (count: number): Promise<void> => {
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await until('it is delivered', () => Promise.resolve(receiver.received.length === count));
    };
    await send(1);

    // At once: the receiver has the second secret, and the first one ends before its time.
    await rotate();
    await dialog.getByText(/The one before it, which signs until .* stops at once/).waitFor();
    await dialog.getByLabel('The old secret signs too for').selectOption({ label: 'Not at all' });
    await dialog.getByRole('alert').getByText(/refuses every event/).waitFor(); // prettier-ignore
    await dialog.getByRole('button', { name: 'Rotate the secret', exact: true }).click();
    await dialog.getByText('The old secret signs nothing any more').waitFor();
    receiver.secret = await shown.innerText();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(/^old secret ends/).waitFor({ state: 'detached' });
    await send(2);
    expect(receiver.forged).toBe(0);
    await api.call('DELETE', `/v1/webhooks/${made.body.id}`);
    await receiver.stop();
  });
});

test('while Postgres is down the open overview and system page say so, and that the API is up', async () => {
  await say('outage', 'before');
  const system = await page.context().newPage();
  await rig.visit(system, '/settings/system');
  await rig.visit(page, '/');
  const part = (name: string) =>
    page.getByRole('list', { name: 'Health' }).getByRole('listitem').filter({ hasText: name });
  await part('Postgres').getByText('up', { exact: true }).waitFor();
  await rig.stack.postgres!.down('immediate');
  try {
    await part('Postgres').getByText('down', { exact: true }).waitFor({ timeout: 60_000 });
    expect(await part('API').innerText()).toMatch(/up$/);
    await part('Workers').getByText('unknown', { exact: true }).waitFor();
    await page.getByText('The last request failed, so problems since then are unknown.').waitFor();
    const partOf = (name: string) =>
      system.locator('dl > div').filter({ has: system.locator('dt', { hasText: name }) });
    await partOf('Postgres').getByText('down', { exact: true }).waitFor({ timeout: 60_000 });
    await partOf('API').getByText('ok', { exact: true }).waitFor();
    await partOf('Redis').getByText('unknown', { exact: true }).waitFor();
  } finally {
    await rig.stack.postgres!.start();
  }
  await part('Postgres').getByText('up', { exact: true }).waitFor({ timeout: 60_000 });
  await rig.close(system);
});
