import { expect, test } from 'vitest';
import { contextEntries, historyOf } from './messages.js';
import type { Entry, Info, Part, ToolState } from './opencode.js';

let ids = 0;
const of = (messageID: string) => ({ id: `prt_${ids++}`, sessionID: 'ses_1', messageID });
const entry = (
  info: Partial<Info> & Pick<Info, 'id' | 'role'>,
  ...parts: Omit<Part, keyof ReturnType<typeof of>>[]
): Entry => ({
  info: { sessionID: 'ses_1', ...info },
  parts: parts.map((part) => ({ ...of(info.id), ...part })),
});
const text = (words: string) => ({ type: 'text', text: words });
const tool = (callID: string, state: Partial<ToolState>) => ({
  type: 'tool',
  callID,
  tool: 'list',
  state: { status: 'completed' as const, input: { n: 1 }, ...state },
});
const result = (toolCallId: string, output: object) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'list',
  output,
});

const question = entry({ id: 'm1', role: 'user' }, text('Which?'));
const step = entry(
  { id: 'm2', role: 'assistant' },
  { type: 'step-start' },
  { type: 'reasoning', text: 'hm', metadata: { anthropic: { signature: 'signed' } } },
  tool('c1', { output: 'a long result', time: { start: 1, end: 2, compacted: 3 } }),
  tool('c2', { status: 'error', error: 'broken' }),
  { type: 'step-finish' },
);
const answer = entry({ id: 'm3', role: 'assistant' }, text('This one.'));

test('an answer with its calls is a message, and their results are the next one', () => {
  expect(historyOf([question, step, answer])).toEqual([
    { role: 'user', content: [text('Which?')] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'signed' } } },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: { n: 1 } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'list', input: { n: 1 } },
      ],
    },
    {
      role: 'tool',
      content: [
        result('c1', { type: 'text', value: 'a long result' }),
        result('c2', { type: 'error-text', value: 'broken' }),
      ],
    },
    { role: 'assistant', content: [text('This one.')] },
  ]);
});

test.each<[string, Entry]>([
  ['is a request for a compaction', entry({ id: 'm', role: 'user' }, { type: 'compaction' })],
  ['is the summary of a compaction', entry({ id: 'm', role: 'assistant', summary: true }, text('All.'))],
  ['failed', entry({ id: 'm', role: 'assistant', error: { name: 'APIError' } }, text('Half'))],
  [
    'was aborted before it said anything',
    entry({ id: 'm', role: 'assistant', error: { name: 'MessageAbortedError' } }),
  ],
  ['has begun and has no parts', entry({ id: 'm', role: 'assistant' })],
  ['is shown to the user only', entry({ id: 'm', role: 'user' }, { ...text('Note'), ignored: true })],
])('a message that %s is not recorded', (_, one) => {
  expect(historyOf([one])).toEqual([]);
});

test('a call of an answer that was aborted has the result that opencode gives it', () => {
  const aborted = entry(
    { id: 'm', role: 'assistant', error: { name: 'MessageAbortedError' } },
    tool('c1', { status: 'running' }),
  );
  const [, results] = historyOf([aborted]);
  expect(results).toEqual({
    role: 'tool',
    content: [result('c1', { type: 'error-text', value: '[Tool execution was interrupted]' })],
  });
});

test('media are sent with their type, and files that are text by their text alone', () => {
  const file = (mime: string) => ({ type: 'file', mime, url: `data:${mime};base64,QUJD`, filename: 'f' });
  const asked = entry(
    { id: 'm', role: 'user' },
    ...[text('See'), file('image/png'), file('application/pdf'), file('text/plain')],
  );
  expect(historyOf([asked])[0]!.content).toEqual([
    text('See'),
    { type: 'image', image: 'data:image/png;base64,QUJD', mediaType: 'image/png' },
    { type: 'file', data: 'data:application/pdf;base64,QUJD', mediaType: 'application/pdf', filename: 'f' },
  ]);
  const attachments = [{ ...of('m'), ...file('image/png') }] as ToolState['attachments'];
  const shot = entry({ id: 'm', role: 'assistant' }, tool('c1', { output: 'shot', attachments }));
  expect(historyOf([shot])[1]!.content).toEqual([
    result('c1', {
      type: 'content',
      value: [text('shot'), { type: 'media', mediaType: 'image/png', data: 'QUJD' }],
    }),
  ]);
});

test('a context is the session’s own messages with its stubs in place of results', () => {
  const stored = [question, step, answer];
  const context = historyOf(stored);
  const stub = { type: 'text', value: '[stored as out_1]' };
  (context[2]!.content as object[])[0] = result('c1', stub);
  const summary = { role: 'user', content: 'Summary: nothing yet.' };
  const [made, first, second, third] = contextEntries([summary, ...context], stored, stored);
  expect(made).toMatchObject({
    info: { role: 'user', sessionID: 'ses_1' },
    parts: [{ text: summary.content }],
  });
  expect(first).toBe(question);
  expect(third).toEqual(answer);
  expect(second!.info).toBe(step.info);
  expect(historyOf([second!])).toEqual(context.slice(1, 3));
  expect(second!.parts[3]).toBe(step.parts[3]);
});

test('an output that opencode has cleared is sent again while the thread has it', () => {
  const [sent] = contextEntries(historyOf([step]), [step], [step]);
  expect(sent!.parts[2]!.state).toMatchObject({ output: 'a long result', time: { start: 1, end: 2 } });
  expect(sent!.parts[2]!.state!.time).not.toHaveProperty('compacted');
});

test('reasoning that the context leaves out is not sent', () => {
  const [, spoken, results] = historyOf([question, step]);
  const without = { ...spoken!, content: (spoken!.content as { type: string }[]).slice(1) };
  const [sent] = contextEntries([without, results!], [question, step], [question, step]);
  expect(sent!.parts.map(({ type }) => type)).toEqual(['step-start', 'tool', 'tool', 'step-finish']);
});

test('a reminder that opencode adds for one call is sent and not recorded, in the newest of equal messages', () => {
  const again = entry({ id: 'm4', role: 'user' }, text('Which?'));
  const reminded = { ...again, parts: [...again.parts, { ...of('m4'), ...text('Plan only.') }] };
  const stored = [question, answer, again];
  const sent = contextEntries(historyOf(stored), stored, [question, answer, reminded]);
  expect(sent).toEqual([question, answer, reminded]);
});

test('a call and its result that the session no longer has are made anew', () => {
  const context = historyOf([step]);
  const [made] = contextEntries(context, [question], [question]);
  expect(historyOf([made!])).toEqual([
    { role: 'assistant', content: (context[0]!.content as object[]).slice(1) },
    context[1],
  ]);
});

test('of answers whose calls have one id each stands for itself', () => {
  const stepOf = (id: string, n: number) =>
    entry({ id, role: 'assistant' }, tool('c1', { input: { n }, output: `result ${n}` }));
  const stored = [question, stepOf('m2', 1), stepOf('m4', 2)];
  const context = historyOf(stored);
  const output = { type: 'text', value: 'result 2' };
  context[3] = {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1_4', toolName: 'list', input: { n: 2 } }],
  };
  context[4] = { role: 'tool', content: [result('c1_4', output)] };
  const [, first, second] = contextEntries(context, stored, stored);
  expect(first!.info).toBe(stored[1]!.info);
  expect(first!.parts[0]!.state).toMatchObject({ input: { n: 1 }, output: 'result 1' });
  expect(second!.parts[0]).toMatchObject({ callID: 'c1_4', state: { input: { n: 2 }, output: 'result 2' } });
});
