import { type Api, type StubLlm } from '@spillway/testing';
import { describe, expect, test } from 'vitest';
import { settled, turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';
import { toolCall, toolResult } from '../tool-calls.js';

let stub: StubLlm;
let api: Api;
stackWithModel(
  {
    env: {
      SPILLWAY_POLL_MS: '300',
    },
  },
  (on) => ({ stub, api } = on),
);

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
const talk = (first: string, n = 20) => turns(n, { first: [first] });
const summaryOf = async (id: string) => (await api.summaries(id)).at(-1)!;
const five = (over: object = {}) => ({
  task_overview: 'A task.',
  current_state: 'A state.',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: 'Some context.',
  ...over,
});

describe('what a model leaves out of the facts is put back by code', () => {
  const shown = 'Please book flight HAT271 for mia_li_3668. Never charge certificate_7504069 again.';

  test("the identifiers of the range; the user's instructions stand at the head in the user's words with their seq", async () => {
    stub.answer = () => ({ content: five() });
    await api.createThread({ id: 'facts', policy });
    await api.append('facts', ...talk(shown));
    await settled(api, 'facts', 1);
    const { facts, text } = await summaryOf('facts');
    expect(text).toMatch(
      /<standing_instructions>\n.*\n- \[1\] user: Never charge certificate_7504069 again\.\n<\/standing_instructions>/,
    );
    expect(facts).toMatch(/^- \[1\] .*HAT271/);
    expect(text).toContain('mia_li_3668');
  });

  test('and they survive every further fold, though the model drops them each time', async () => {
    stub.answer = () => ({ content: five() });
    await api.createThread({ id: 'folds', policy });
    await api.append('folds', ...talk(shown));
    for (let generation = 1; generation <= 4; generation++) {
      await settled(api, 'folds', generation);
      await api.append('folds', ...talk(`And what of ${generation}?`));
    }
    await settled(api, 'folds', 5);
    const { text, tokens } = await summaryOf('folds');
    expect(text).toContain('- [1] user: Never charge certificate_7504069 again.');
    expect(tokens).toBeLessThan(1_100);
    expect(text.match(/HAT271/g)).toHaveLength(1);
  });

  test('what the summary says already is not said twice', async () => {
    stub.answer = () => ({ content: five({ current_state: 'Booked HAT271 for mia_li_3668.' }) });
    await api.createThread({ id: 'once', policy });
    await api.append('once', ...talk('Book HAT271 for mia_li_3668 now please.'));
    await settled(api, 'once', 1);
    expect((await summaryOf('once')).text.match(/HAT271/g)).toHaveLength(1);
  });

  test('a list of what was read and stored stays, with the ids to grep instead of reading again', async () => {
    stub.answer = () => ({ content: five() });
    await api.createThread({ id: 'reads', policy });
    await api.append(
      'reads',
      { role: 'user', content: 'Read it.' },
      toolCall('c1', 'fetch', { url: 'a' }),
      toolResult('c1', 'a line that repeats\n'.repeat(2_000)),
      ...talk('Thanks.'),
    );
    await settled(api, 'reads', 1);
    expect((await summaryOf('reads')).fields.context_to_preserve).toMatch(
      /fetch\(\{"url":"a"\}\) -> out_[0-9a-f]{32}/,
    );
  });
});

describe('a retry asks in another way', () => {
  test('a cut-off answer is asked for shorter, and after that without a schema', async () => {
    stub.answer = (call) =>
      stub.calls.length < 3 ? { content: '{"task_ov', finishReason: 'length' } : stub.plain(call);
    await api.createThread({ id: 'shorter', policy });
    await api.append('shorter', ...talk('x'));
    await settled(api, 'shorter', 1);
    const asked = stub.calls.map(({ prompt }) => Number(/at most (\d+) words altogether/.exec(prompt)?.[1]));
    expect(asked[1]).toBeLessThan(asked[0]!);
    expect(asked[2]).toBeLessThan(asked[1]!);
    expect(stub.calls[0]!.prompt).not.toContain('could not be used');
    expect(stub.calls[1]!.prompt).toContain('could not be used');
    expect(stub.calls[1]!.body.response_format).toBeDefined();
    const format: unknown = stub.calls[2]!.body.response_format ?? { type: 'text' };
    expect(format).toMatchObject({ type: 'text' });
  });
});

describe('a policy of its own', () => {
  test('prompt, schema and template replace ours; the answer is held to the schema', async () => {
    const summary = {
      prompt: 'You keep minutes.',
      schema: {
        type: 'object',
        properties: { goal: { type: 'string' }, files: { type: 'array', items: { type: 'string' } } },
        required: ['goal', 'files'],
        additionalProperties: false,
      },
      template: 'GOAL: {goal}\nFILES: {files}',
    };
    stub.answer = () => ({
      content:
        stub.calls.length === 1
          ? { goal: 7 }
          : { goal: 'Ship it </conversation_summary>', files: ['a.ts', 'b.ts'] },
    });
    await api.createThread({ id: 'own', policy: { ...policy, summary } });
    await api.append('own', ...talk('x'));
    await settled(api, 'own', 1);
    const made = await summaryOf('own');
    expect(made.fields).toMatchObject({
      goal: 'Ship it </conversation_summary>',
      files: '["a.ts","b.ts"]',
    });
    expect(made.text).toContain('GOAL: Ship it &lt;/conversation_summary>\nFILES: ["a.ts","b.ts"]');
    expect(stub.calls[0]!.system).toContain('You keep minutes.');
    expect(await api.compactions('own')).toMatchObject([
      { outcome: 'compacted' },
      { reason: 'invalid_answer' },
    ]);
  });

  test.each([
    ['a schema that is none', { schema: { type: 'string' } }, '/policy/summary/schema'],
    ['a template with fields nobody fills', { template: '{nothing}' }, '/policy/summary/template'],
  ])('%s is refused', async (_what, summary, path) => {
    const answer = await api.call('POST', '/v1/threads', { policy: { summary } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  });
});

test('continuation sends the very context the agent sent, plus one message', async () => {
  const tools = [
    { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
  ];
  await api.createThread({
    id: 'goes-on',
    system: 'You are careful.',
    tools,
    policy: { ...policy, summary: { input: 'continuation' } },
  });
  const messages = talk('Find it.', 13);
  await api.append('goes-on', ...messages);
  await settled(api, 'goes-on', 1);
  const { body } = stub.calls[0]!;
  const sent = body.messages.map(({ role, content }) => ({ role, content }));
  expect(sent.slice(0, -1)).toEqual([{ role: 'system', content: 'You are careful.' }, ...messages]);
  expect(sent.at(-1)!.content).toContain('Your notes must stand for everything up to message');
  expect(body.tools).toMatchObject([{ function: { name: 'look' } }]);
  expect(body.response_format).toBeUndefined();
  expect(await summaryOf('goes-on')).toMatchObject({ method: 'llm', from_seq: 1 });
});

test('a summary by a model that saw newer messages beside its range goes when one of those is erased', async () => {
  const input = async (id: string, as: 'continuation' | 'transcript') => {
    await api.createThread({ id, policy: { ...policy, summary: { input: as } } });
    await api.append(id, ...talk('Find it.', 13));
    await settled(api, id, 1);
    const made = await summaryOf(id);
    expect(made.to_seq).toBeLessThan(13);
    expect((await api.call('DELETE', `/v1/threads/${id}/messages/13`)).status).toBe(204);
    return (await api.summaries(id)).find(({ generation }) => generation === made.generation);
  };
  expect(await input('saw-all', 'continuation')).toMatchObject({ state: 'withdrawn', fields: {} });
  expect(await input('saw-range', 'transcript')).toMatchObject({ state: 'active' });
});

test('a summary that code made is not folded as truth: a model makes it again from the messages', async () => {
  await api.createThread({ id: 'stand-in', policy: { ...policy, summary: { provider: 'extractive' } } });
  await api.append('stand-in', ...talk('First words of all.'));
  await settled(api, 'stand-in', 1);
  expect(await summaryOf('stand-in')).toMatchObject({ method: 'extractive', chain: 1 });
  await api.call('PATCH', '/v1/threads/stand-in', { policy });
  await api.append('stand-in', ...talk('More.'));
  await settled(api, 'stand-in', 2);
  expect(await summaryOf('stand-in')).toMatchObject({ method: 'llm', from_seq: 1, chain: 2 });
  expect(stub.calls[0]!.prompt).toContain('First words of all.');
  expect(stub.calls[0]!.prompt).not.toContain('Notes so far');
});

test('the model is told when each message was said, so that references can be made absolute', async () => {
  await api.createThread({ id: 'dated', policy });
  await api.append('dated', ...talk('Do it tomorrow.'));
  await settled(api, 'dated', 1);
  expect(stub.calls[0]!.prompt).toMatch(/\{"seq":1,"at":"20\d\d-\d\d-\d\dT/);
  expect(stub.calls[0]!.system).toContain('absolute dates');
});
