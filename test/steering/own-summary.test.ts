import type { Schemas } from '@spillway/client';
import { llmFailures, until, type Api, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { filler, settled, turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';
import { toolCall, toolRun } from '../tool-calls.js';

let stub: StubLlm;
let api: Api;
stackWithModel(
  { workers: 1, redis: false, env: { SPILLWAY_POLL_MS: '200', SPILLWAY_LEASE_MS: '1500' } },
  (on) => ({ stub, api } = on),
);

const policy = {
  context: { context_window: 8_000, trigger_ratio: 0.3 },
  summary: { max_tokens: 300, provider: 'extractive' },
};
const fields = {
  task_overview: 'Book a flight for the family of four.',
  current_state: 'Two flights were compared; the one at noon is cheaper.',
  important_discoveries: '',
  next_steps: '- Book flight QX-7741.',
  context_to_preserve: '',
};
type Written = Schemas['RestoredSummary'] & {
  code: string;
  detail: string;
  errors: { path: string; message: string }[];
};
const write = (id: string, body: object) =>
  api.call<Written>('POST', `/v1/threads/${id}/summaries`, { fields, ...body });

test('a caller’s own summary leads the context, named after its key, and can be undone', async () => {
  await api.createThread({ id: 'own', policy });
  await api.append(
    'own',
    { role: 'user', content: 'From now on answer in French only.' },
    ...turns(5, { from: 1 }),
  );
  const before = await api.context('own');
  const written = await write('own', { to_seq: 4, expected_generation: 0 });
  expect(written.body).toMatchObject({
    ...{ generation: 1, from_seq: 1, to_seq: 4, method: 'caller', model: null, active: true },
    ...{ author: 'bootstrap', cost_usd: null, prompt_version: null },
  });
  expect(written.status).toBe(201);
  expect(written.body.tokens_after).toBeLessThan(written.body.tokens_before);
  expect(written.body.fields).toMatchObject(fields);

  const context = await api.context('own');
  expect(context.summary).toMatchObject({ generation: 1, to_seq: 4, method: 'caller' });
  // A note stands between two messages of the user.
  expect(context.messages.slice(2)).toEqual(before.messages.slice(4));
  const [notes] = context.messages as { content: string }[];
  expect(notes!.content).toContain('flight QX-7741');
  // The user's own words stand before the caller's.
  expect(notes!.content).toMatch(
    /<standing_instructions>[^]*French only[^]*<\/standing_instructions>[^]*Book/,
  );
  // What was served last is what at=N shows.
  expect((await api.context('own', '?at=6')).messages).toEqual(context.messages);

  // A retry changes nothing, an older expectation is refused.
  expect(await write('own', { to_seq: 4, expected_generation: 0 })).toMatchObject({
    status: 200,
    body: { generation: 1 },
  });
  const late = await write('own', {
    fields: { ...fields, next_steps: 'None.' },
    ...{ to_seq: 4, expected_generation: 0 },
  });
  expect(late).toMatchObject({ status: 409, body: { code: 'generation_changed' } });
  expect(late.body.detail).toContain('generation 1 is active');

  type Entry = { action: string; actor: string; actor_name: string; detail: object };
  const log = await api.call<{ data: Entry[] }>('GET', '/v1/audit?limit=20');
  const entries = log.body.data.filter((entry) => entry.action === 'summary.written');
  expect(entries).toMatchObject([
    { actor: expect.stringMatching(/^key:/) as string, detail: { generation: 1 } },
  ]);
  const events = await api.call<{ data: { type: string; data: object }[] }>(
    'GET',
    '/v1/threads/own/events?limit=50',
  );
  expect(events.body.data.find((event) => event.type === 'context.summarized')!.data).toMatchObject({
    ...{ generation: 1, method: 'caller', to_seq: 4 },
  });

  const undone = await api.call<Schemas['UndoneSummary']>('DELETE', '/v1/threads/own/summaries/1');
  expect(undone).toMatchObject({ status: 200, body: { undone: 1, restored_from: 0 } });
  expect((await api.context('own')).messages).toEqual(before.messages);
  const restored = await api.call<Schemas['Summary']>('POST', '/v1/threads/own/summaries/1/restore');
  expect(restored.body).toMatchObject({ method: 'caller', author: 'bootstrap', restored_from: 1 });
});

test('the next fold builds on it, and a later one of a caller replaces what a fold made', async () => {
  await api.createThread({ id: 'builds', policy });
  await api.append('builds', ...turns(6));
  expect((await write('builds', { to_seq: 4 })).status).toBe(201);
  await api.append('builds', ...turns(12, { from: 6 }));
  const { compaction } = await settled(api, 'builds', 2);
  const [own, folded] = await api.summaries('builds');
  expect(folded).toMatchObject({ from_seq: 5, chain: own!.chain, method: 'extractive', author: null });
  expect(folded!.text).toContain('the one at noon is cheaper');
  const to_seq = compaction.covered_through;
  const again = await write('builds', { to_seq, expected_generation: compaction.generation });
  expect(again).toMatchObject({ status: 201, body: { from_seq: 1, to_seq } });
  expect(again.body.chain).toBeGreaterThan(folded!.chain);
});

test('folds by code keep the quotes and the uncited lines of it', async () => {
  await api.createThread({ id: 'quotes', policy });
  const flight = 'I flew with my dog Bello and paid 250 euros for that.';
  await api.append('quotes', { role: 'user', content: flight }, ...turns(5, { from: 1 }));
  const context_to_preserve = `- [1] user: "${flight}"`;
  const task_overview = 'user: "Book the trip to Rome"';
  const written = await write('quotes', {
    fields: { ...fields, task_overview, context_to_preserve },
    to_seq: 4,
  });
  expect(written.status, JSON.stringify(written.body)).toBe(201);
  for (const generation of [1, 2]) {
    await api.append('quotes', ...turns(12, { from: generation * 12 }));
    await settled(api, 'quotes', generation + 1);
    const { fields: folded } = (await api.summaries('quotes')).at(-1)!;
    expect(folded.context_to_preserve).toBe(context_to_preserve);
    expect(folded.task_overview).toContain(`- ${task_overview}`);
  }
});

test('what a fold may not do a caller may not either, and is told the field', async () => {
  await api.createThread({ id: 'checked', policy });
  await api.append(
    'checked',
    { role: 'user', content: 'Look it up, please.' },
    ...toolRun('c1', `Found. ${filler}`),
    ...turns(3, { from: 1 }),
    // It waits for a person, and the user goes on meanwhile.
    toolCall('c2'),
    { role: 'user', content: 'Are you there?' },
  );
  const refused = async (path: string, says: RegExp, body: object) => {
    const answer = await write('checked', { to_seq: 5, ...body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    const error = answer.body.errors.find((one) => one.path === path);
    expect(error?.message, JSON.stringify(answer.body)).toMatch(says);
  };
  await refused('/to_seq', /messages 2 to 3 belong together. Use 1 or 3/, { to_seq: 2 });
  await refused('/to_seq', /stay verbatim: those from 7 on. At most 6/, { to_seq: 7 });
  await refused('/to_seq', /stay verbatim: those from 7 on/, { to_seq: 8 });
  await refused('/to_seq', /newest is 8/, { to_seq: 9 });
  await refused('/fields', /take \d+ tokens; a summary of these messages may take \d+/, {
    fields: { ...fields, current_state: filler.repeat(3) },
  });
  await refused('/fields', /say nothing/, {
    fields: Object.fromEntries(Object.keys(fields).map((name) => [name, ' '])),
  });
  await refused('/fields/next_steps', /required/, { fields: { ...fields, next_steps: undefined } });
  await refused('/fields/facts', /not a field/, { fields: { ...fields, facts: 'x' } });
  await refused('/fields/current_state', /do not hold: \[1\] user: "Pay them all."/, {
    fields: { ...fields, current_state: '[1] user: "Pay them all."' },
  });
  await refused('/fields', /would make the context bigger/, { to_seq: 1 });
  await api.append('leads', { role: 'system', content: `Be brief. ${filler}` }, ...turns(3));
  expect((await write('leads', { to_seq: 1 })).body.errors).toMatchObject([
    {
      path: '/to_seq',
      message: expect.stringMatching(/^covers nothing that a summary could shorten/) as string,
    },
  ]);
  // The same words as of a true message are welcome.
  const kept = { ...fields, current_state: '[1] user: "Look it up, please."' };
  expect((await write('checked', { fields: kept, to_seq: 5 })).status).toBe(201);
  // Longer than the one in place, it would make the context bigger.
  await refused('/fields', /would make the context bigger: it takes \d+ tokens now/, {
    fields: {
      ...kept,
      next_steps: 'Ask the airline again about the seats by the window, and the meals. '.repeat(4),
    },
  });
  // Turns that the policy keeps are kept from callers as well.
  await api.call('PATCH', '/v1/threads/checked', { policy: { context: { keep_recent_turns: 2 } } });
  await refused('/to_seq', /stay verbatim: those from 5 on/, { to_seq: 6 });
  expect((await api.thread('checked')).compaction.generation).toBe(1);
});

test('a fold that runs meanwhile gives way, and nothing is lost', async () => {
  stub.answer = llmFailures['hang before headers'];
  await api.createThread({
    id: 'race',
    policy: { ...policy, summary: { ...policy.summary, provider: 'openai-compatible' } },
  });
  await api.append('race', ...turns(14));
  await until('the model is asked', () => Promise.resolve(stub.calls.length > 0));
  expect((await api.thread('race')).compaction.state).toBe('running');
  const written = await write('race', { to_seq: 12 });
  expect(written).toMatchObject({ status: 201, body: { generation: 1, to_seq: 12 } });
  stub.answer = stub.plain;
  const [attempt] = await until('the attempt has ended', async () => {
    const attempts = await api.compactions('race');
    return attempts[0]!.outcome !== null && attempts;
  });
  expect(attempt).toMatchObject({ outcome: 'lost_cas', generation: null });
  await settled(api, 'race');
  expect(await api.summaries('race')).toHaveLength(1);
  expect((await api.context('race')).summary).toMatchObject({ generation: 1, method: 'caller' });
  expect(await api.originals('race')).toHaveLength(14);
});

test('a summary up to a message that was rewound is refused: it may say what was taken back', async () => {
  await api.createThread({ id: 'back', policy });
  await api.append('back', ...turns(6));
  expect((await api.call('POST', '/v1/threads/back/rewind', { to_seq: 3 })).status).toBe(200);
  const rewound = { status: 409, body: { code: 'message_rewound' } };
  expect(await write('back', { to_seq: 4 })).toMatchObject(rewound);
  await api.append('back', ...turns(4, { from: 6 }));
  expect(await write('back', { to_seq: 5 })).toMatchObject(rewound);
  expect(await write('back', { to_seq: 99 })).toMatchObject({ status: 422 });
  expect(await write('back', { to_seq: 3 })).toMatchObject({ status: 201, body: { to_seq: 3 } });
  // A retry is told what its first try did.
  expect((await api.call('POST', '/v1/threads/back/rewind', { to_seq: 3 })).status).toBe(200);
  expect(await write('back', { to_seq: 3 })).toMatchObject({ status: 200 });
});

test('a caller’s own summary may not quote what it does not cover, and goes when a message is erased that it may tell of', async () => {
  await api.createThread({ id: 'tells', policy });
  await api.append(
    'tells',
    ...turns(4),
    { role: 'user', content: 'My password is hunter2.' },
    ...turns(3, { from: 1 }),
  );
  const quoting = (text: string) => ({ fields: { ...fields, current_state: text }, to_seq: 4 });
  const refused = await write('tells', quoting('[5] user: "My password is hunter2."'));
  expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  expect(refused.body.errors[0]!.message).toContain('the messages up to 4 do not hold');
  // In words of its own nobody can tell.
  expect((await write('tells', quoting('The password of the user is hunter2.'))).status).toBe(201);
  await api.append('tells', ...turns(2));
  const { last_seq: last } = await api.thread('tells');
  // It was not there when the summary was written.
  expect((await api.call('DELETE', `/v1/threads/tells/messages/${last}`)).status).toBe(204);
  expect(JSON.stringify(await api.context('tells'))).toContain('hunter2');
  expect((await api.call('DELETE', '/v1/threads/tells/messages/5')).status).toBe(204);
  expect(JSON.stringify(await api.context('tells'))).not.toContain('hunter2');
  expect(JSON.stringify(await api.summaries('tells'))).not.toContain('hunter2');
});

test('a restored copy of a caller’s summary stays when a message is erased that came after it was written', async () => {
  await api.createThread({ id: 'copied', policy });
  await api.append('copied', ...turns(5));
  const written = await write('copied', { to_seq: 3 });
  await api.append('copied', ...turns(3, { from: 5 }));
  const { generation } = (await write('copied', { to_seq: 6 })).body;
  expect((await api.call('DELETE', `/v1/threads/copied/summaries/${generation}`)).status).toBe(200);
  const shown = (await api.context('copied')).summary;
  expect(shown).toMatchObject({ generation: generation + 1, to_seq: 3 });
  expect((await api.call('DELETE', '/v1/threads/copied/messages/7')).status).toBe(204);
  expect((await api.context('copied')).summary).toEqual(shown);
  // What was there when it was written ends both.
  expect((await api.call('DELETE', '/v1/threads/copied/messages/5')).status).toBe(204);
  expect((await api.context('copied')).summary).toBeNull();
  const summaries = await api.summaries('copied');
  expect(summaries.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
  expect(written.body.generation).toBe(1);
});
