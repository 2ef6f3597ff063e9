import type { ServerResponse } from 'node:http';
import type { Schemas } from '@spillway/client';
import { apiOf, until } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { added, operatorPassword, scrape } from '../operations/scrape.js';
import { assistant, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
});

const byHistory = { 'spillway-thread-from': 'history' };

/** Sends a conversation that names no thread, and returns the thread that it was found to be. */
async function ask(messages: object[], answer: string, more: object = {}): Promise<string> {
  rig.answer = replies(answer);
  const sent = await rig.post('', messages, { headers: byHistory, ...more });
  await sent.text();
  expect(sent.status).toBe(200);
  return sent.headers.get('spillway-thread')!;
}

const threadIds = async () =>
  (await rig.api.call<{ data: { id: string }[] }>('GET', '/v1/threads?limit=100')).body.data.map(
    ({ id }) => id,
  );

const failing = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}');
};

describe('a conversation whose caller names no thread', () => {
  test('goes on in the thread that has it', async () => {
    const first = [user('Sort the orders.')];
    const id = await ask(first, 'By date?');
    const second = [...first, assistant('By date?'), user('By size.')];
    expect(await ask(second, 'Sorted.')).toBe(id);
    expect(await ask([...second, assistant('Sorted.'), user('Thanks.')], 'Sure.')).toBe(id);
    expect(await rig.shown(id)).toEqual([
      'user: Sort the orders.',
      'assistant: By date?',
      'user: By size.',
      'assistant: Sorted.',
      'user: Thanks.',
      'assistant: Sure.',
    ]);
    expect(rig.received.at(-1)!.headers['spillway-thread-from']).toBeUndefined();
  });

  test('is another one than that which began with the same words', async () => {
    const one = await ask([user('hi')], 'Hello.');
    const other = await ask([user('hi')], 'Hello.');
    expect(other).not.toBe(one);
    const go = (question: string) => ask([user('hi'), assistant('Hello.'), user(question)], `${question}!`);
    const ids = [await go('a'), await go('b')];
    expect(new Set(ids)).toEqual(new Set([one, other]));
    // Both ends are taken: what goes on from there is a third one.
    const third = await go('c');
    expect(ids).not.toContain(third);
    expect(await rig.shown(third)).toEqual(['user: hi', 'assistant: Hello.', 'user: c', 'assistant: c!']);
    expect(await rig.shown(ids[0]!)).toEqual(['user: hi', 'assistant: Hello.', 'user: a', 'assistant: a!']);
  });

  test('that goes back is a branch, and what it left stays as it was', async () => {
    const begun = [user('Book a room.'), assistant('Which day?')];
    const id = await ask(begun.slice(0, 1), 'Which day?');
    await ask([...begun, user('Friday')], 'Booked for Friday.');
    const edited = [...begun, user('Monday')];
    const branch = await ask(edited, 'Booked for Monday.');
    expect(branch).not.toBe(id);
    expect((await rig.api.thread(branch)).forked_from).toEqual({ thread: id, at: 2 });
    expect(await rig.shown(id)).toContain('assistant: Booked for Friday.');
    expect(await ask([...edited, assistant('Booked for Monday.'), user('ok')], 'Bye.')).toBe(branch);
    expect(await rig.shown(branch)).toEqual([
      'user: Book a room.',
      'assistant: Which day?',
      'user: Monday',
      'assistant: Booked for Monday.',
      'user: ok',
      'assistant: Bye.',
    ]);
  });

  test('is found where its caller shortened old results, renewed its reminders, and leaves reasoning out', async () => {
    const call = { id: 'call_9', type: 'function', function: { name: 'read', arguments: '{}' } };
    const calls = { role: 'assistant', content: null, tool_calls: [call] };
    rig.answer = (response) => {
      const message = { ...calls, reasoning_content: 'I should read it.' };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    };
    const reminded = (what: string) => user(`<system-reminder>${what}</system-reminder> Read it.`);
    const sent = await rig.post('', [reminded('It is Monday.')], { headers: byHistory });
    const id = sent.headers.get('spillway-thread');
    await sent.text();
    const result = (content: string) => ({ role: 'tool', tool_call_id: 'call_9', content });
    const read = [reminded('It is Tuesday.'), calls];
    expect(await ask([...read, result('a long page')], 'It is a page.')).toBe(id);
    const older = [...read, result('[removed]'), assistant('It is a page.'), user('Of what?')];
    expect(await ask(older, 'Of a book.')).toBe(id);
  });

  test('goes on after a call that failed, and after one that was cut off', async () => {
    const before = await threadIds();
    for (const status of [429, 500]) {
      rig.answer = failing(status);
      expect((await rig.post('', [user('Try.')], { headers: byHistory })).status).toBe(status);
    }
    rig.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Half"}}]}\n\n');
      setTimeout(() => response.destroy(), 20);
    };
    const cut = await rig.post('', [user('Try.')], { headers: byHistory, stream: true });
    await expect(cut.text()).rejects.toThrow();
    const id = await ask([user('Try.')], 'Done.');
    expect((await threadIds()).filter((one) => !before.includes(one))).toEqual([id]);
    expect(await rig.shown(id)).toEqual(['user: Try.', 'assistant: Done.']);
    // From here on the same words begin another conversation.
    const other = await ask([user('Try.')], 'Done.');
    expect(other).not.toBe(id);
    expect((await rig.api.thread(other)).forked_from).toBeNull();
  });

  test('goes on in its thread after a reply that could not be recorded', async () => {
    const id = await ask([user('Tally.')], 'One.');
    const asked = [user('Tally.'), assistant('One.'), user('Go on.')];
    // No message may have a call with such an id, so the append is refused, and the caller has its reply all the same.
    const unrecordable = {
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'x'.repeat(4_097), type: 'function', function: { name: 'count', arguments: '{}' } }],
    };
    rig.answer = (response) => {
      const choices = [{ index: 0, message: unrecordable, finish_reason: 'tool_calls' }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
    };
    const sent = await rig.post('', asked, { headers: byHistory });
    expect(await sent.json()).toMatchObject({ choices: [{ message: unrecordable }] });
    expect(await ask(asked, 'Two.')).toBe(id);
    expect(await rig.shown(id)).toEqual([
      'user: Tally.',
      'assistant: One.',
      'user: Go on.',
      'assistant: Two.',
    ]);
  });

  test('that is refused takes nothing from the next one', async () => {
    const id = await ask([user('Count.')], 'One.');
    const next = [user('Count.'), assistant('One.')];
    const before = await threadIds();
    const refused = [
      await rig.post('', [...next, { role: 'wizard', content: 'x' }], { headers: byHistory }),
      await rig.post('', [...next, user('x')], { headers: byHistory, model: 'not-allowed' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
    expect(await threadIds()).toEqual(before);
    expect(await ask([...next, user('Go on.')], 'Two.')).toBe(id);
  });

  test('sent several times at once is as many threads, each whole', async () => {
    const begun = [user('Roll a die.'), assistant('Ready.')];
    await ask(begun.slice(0, 1), 'Ready.');
    const ids = await Promise.all([1, 2, 3, 4].map(() => ask([...begun, user('Roll.')], 'Six.')));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) {
      expect(await rig.shown(id)).toEqual([
        'user: Roll a die.',
        'assistant: Ready.',
        'user: Roll.',
        'assistant: Six.',
      ]);
    }
  });

  test('is not found in what was rewound or erased', async () => {
    const begun = [user('Name a bird.'), assistant('A wren.')];
    const id = await ask(begun.slice(0, 1), 'A wren.');
    const second = [...begun, user('Another.'), assistant('A crane.')];
    expect(await ask(second.slice(0, 3), 'A crane.')).toBe(id);
    await rig.api.call('POST', `/v1/threads/${id}/rewind`, { to_seq: 2 });
    const branch = await ask([...second, user('One more.')], 'A gull.');
    expect((await rig.api.thread(branch)).forked_from).toEqual({ thread: id, at: 2 });

    const third = [...second, user('One more.'), assistant('A gull.')];
    await rig.api.call('DELETE', `/v1/threads/${branch}/messages/4`);
    await rig.api.call('DELETE', `/v1/threads/${id}`);
    const fresh = await ask([...third, user('Go on.')], 'A tern.');
    expect(fresh).not.toBe(branch);
    expect((await rig.api.thread(fresh)).forked_from).toBeNull();
    expect(await rig.shown(fresh)).toHaveLength(8);
  });

  test('goes on in its thread after a restore of that elsewhere', async () => {
    const begun = [user('Name a tree.'), assistant('An oak.')];
    const id = await ask(begun.slice(0, 1), 'An oak.');
    const backup = await rig.api.call<string>('GET', `/v1/threads/${id}/backup`);
    const key = await rig.stack.addProject('restored');
    const there = apiOf({ url: rig.stack.url, key });
    expect((await there.call('PUT', `/v1/threads/${id}/backup`, backup.body)).status).toBe(201);
    expect(await ask([...begun, user('Another.')], 'An elm.', { key })).toBe(id);
    expect((await there.context(id)).messages).toHaveLength(4);
  });

  test('of another project is never the same one', async () => {
    const key = await rig.stack.addProject('of others');
    const begun = [user('Our secret?'), assistant('42')];
    const id = await ask(begun.slice(0, 1), '42');
    const theirs = await ask([...begun, user('Again?')], 'What?', { key });
    expect(theirs).not.toBe(id);
    const { messages } = await apiOf({ url: rig.stack.url, key }).context(theirs);
    expect(messages).toHaveLength(4);
    expect(await ask([...begun, user('Again?')], '42.')).toBe(id);
  });

  test('is counted by where it went on, and a project whose conversations are mostly found nowhere hears of it', async () => {
    const watched = await rig.stack.startApi({
      SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
      SPILLWAY_TIME_DIVISOR: '10',
    });
    const key = await rig.stack.addProject('trims');
    const of = { key, url: watched.url };
    const api = apiOf(of);
    const calls = (run: () => Promise<unknown>) => added(() => scrape(watched.url), run);
    const outcomes = async (run: () => Promise<unknown>) => {
      const count = await calls(run);
      return ['continued', 'forked', 'new', 'not_found'].map((outcome) =>
        count('spillway_history_calls_total', { outcome }),
      );
    };
    const begun = [user('Name a lake.'), assistant('Como.')];
    expect(await outcomes(() => ask(begun.slice(0, 1), 'Como.', of))).toEqual([0, 0, 1, 0]);
    const second = [...begun, user('Another.')];
    expect(await outcomes(() => ask(second, 'Garda.', of))).toEqual([1, 0, 0, 0]);
    expect(await outcomes(() => ask([...begun, user('A larger one.')], 'Baikal.', of))).toEqual([0, 1, 0, 0]);
    // Without its oldest message.
    const trimmed = [...second.slice(1), assistant('Garda.'), user('One more.')];
    expect(await outcomes(() => ask(trimmed, 'Iseo.', of))).toEqual([0, 0, 0, 1]);
    const named = { ...of, headers: { ...byHistory, 'spillway-thread': 'named' } };
    expect(await outcomes(() => ask(trimmed, 'Iseo.', named))).toEqual([0, 0, 0, 0]);
    const concerns = async () =>
      (await api.call<Schemas['Attention']>('GET', '/v1/attention')).body.concerns.filter(
        ({ kind }) => kind === 'history_not_found',
      );
    for (let i = 0; i < 9; i++)
      await ask([user(`It is ${i}.`), assistant('So it is.'), user('And now?')], 'The same.', of);
    const found = await until('the calls are counted', async () => {
      const [concern] = await concerns();
      return concern?.count === 10 && concern;
    });
    expect(found).toEqual({
      kind: 'history_not_found',
      severity: 'act',
      reason: '10 of 12 calls that had an answer in their history',
      count: 10,
      at_least: false,
      thread_ids: [],
      detail: null,
      page: '/threads?q=history%3A',
    });
    // Those who name their threads, or whose conversations are found, hear nothing.
    for (let i = 0; i < 9; i++) {
      const fresh = [user(`Count to ${i}.`)];
      await ask(fresh, 'Done.', of);
      await ask([...fresh, assistant('Done.'), user('Thanks.')], 'Sure.', of);
    }
    await until('most are found', async () => (await concerns()).length === 0);
    await watched.stop();
  });
});
