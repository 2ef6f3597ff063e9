import { expect, test } from 'vitest';
import { formats, reduceMessage, resultsOf, textOfParts, type Body } from '../../index.js';

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
  const content = responses.asResultContent('a stub', responses.resultContent(shell, 0));
  expect(responses.withResultContent(shell, 0, content)).toEqual({
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
