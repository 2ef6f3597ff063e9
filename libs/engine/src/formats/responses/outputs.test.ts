import { describe, expect, test } from 'vitest';
import { formats, reduceMessage, resultsOf, textOfParts, type Body } from '../../index.js';
import { erasedItem } from './erased-item.js';
import { ItemsWithoutReasoning } from './without-reasoning.js';

const { responses } = formats;
const shell: Body = {
  type: 'shell_call_output',
  call_id: 'a',
  max_output_length: 4_096,
  output: [
    { stdout: 'one\ntwo', stderr: 'careful', outcome: { type: 'exit', exit_code: 0 } },
    { stdout: '', stderr: 'gone', outcome: { type: 'exit', exit_code: 2 } },
    { stdout: 'slow', stderr: '', outcome: { type: 'timeout' } },
  ],
};
const outcome = { type: 'timeout' };

test('the output of the shell tool is read as what was printed', () => {
  const [result] = resultsOf(responses.read(shell));
  expect(textOfParts(result!.parts)).toBe('one\ntwo\ncareful\ngone\nexit code 2\nslow\ntimed out');
});

test('a text in place of the output of the shell tool has its shape', () => {
  const content = responses.asResultContent('a stub', responses.resultContents(shell)[0]);
  expect(responses.withResultContents(shell, new Map([[0, content]]))).toEqual({
    ...shell,
    output: [{ stdout: 'a stub', stderr: '', outcome }],
  });
});

const cleared = (body: Body): Body =>
  responses.write([reduceMessage(responses.read(body), 7, { images: 9, cleared: true })]).bodies[0]!.body;

test('the note in place of a cleared output of the shell tool has its shape', () => {
  expect(cleared(shell)).toEqual({
    ...shell,
    output: [{ stdout: expect.stringContaining('Cleared') as string, stderr: '', outcome }],
  });
});

test('a screenshot stays: its item can hold nothing else', () => {
  const output = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' };
  const body = { type: 'computer_call_output', call_id: 'a', output };
  expect(cleared(body)).toEqual(body);
});

describe('the output of a local shell, which names its call in its id', () => {
  const local = { type: 'local_shell_call_output', id: 'a', output: 'done' };

  test('is a result, and keeps its shape when it is cleared, erased or has another id', () => {
    expect(responses.read(local)).toMatchObject({ role: 'tool', parts: [{ type: 'result', callId: 'a' }] });
    expect(cleared({ ...local, output: 'done '.repeat(90) })).toEqual({
      ...local,
      output: expect.stringContaining('Cleared') as string,
    });
    expect(erasedItem(local, 'gone')).toEqual({ ...local, output: 'gone' });
    const ids = { call: (id: string) => id, result: () => 'b' };
    expect(responses.withCallIds(local, ids)).toEqual({ ...local, id: 'b' });
    const both = { ...local, id: 'item', call_id: 'a' };
    expect(responses.withCallIds(both, ids)).toEqual({ ...both, call_id: 'b' });
  });

  test('is a note where its call is one', () => {
    const items = new ItemsWithoutReasoning();
    items.afterLost({ type: 'local_shell_call', id: 'lsh_1', call_id: 'a', action: { type: 'exec' } });
    expect(items.other(local).body).toEqual({
      type: 'message',
      role: 'user',
      content: '[Result (a):]\ndone',
    });
  });
});
