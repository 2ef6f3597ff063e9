import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { besideModelWarning, runCommand, type Ended } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
});

const id = '1234567890123456789';

/** Imports a text and returns the messages as they are stored. */
async function imported(thread: string, name: string, text: string): Promise<object[]> {
  const file = folder.fileWith(name, text);
  const { code, stderr } = await runCommand(stack, ['import', '--json', '--thread', thread, file]);
  expect({ code, stderr: besideModelWarning(stderr) }).toEqual({ code: 0, stderr: '' });
  return api.originals(thread);
}

const dry = (name: string, text: string): Promise<Ended> =>
  runCommand({ url: '', key: '' }, ['import', '--dry-run', folder.fileWith(name, text)]);

const callOf = (input: string) =>
  `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ban","input":${input}}]}`;
const resultOf = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"done"}]}';

describe('an integer beyond 2^53 in a session', () => {
  test('is text in the input of a call, as it is when the message is posted', async () => {
    const call = callOf(`{"who":[${id},7],"very":1e400}`);
    const posted = await api.call(
      'POST',
      '/v1/threads/posted/messages?format=anthropic',
      `{"messages":[${call}]}`,
    );
    expect(posted.status).toBe(201);
    const [expected] = await api.originals('posted');
    expect(expected).toEqual(JSON.parse(callOf(`{"who":["${id}",7],"very":"1e400"}`)));
    expect(await imported('lines', 'call.jsonl', `${call}\n${resultOf}\n`)).toEqual([
      expected,
      JSON.parse(resultOf),
    ]);
    expect(await imported('list', 'call.json', `[${call}, ${resultOf}]`)).toEqual([
      expected,
      JSON.parse(resultOf),
    ]);
  });

  test('is text in the arguments of a call of LangGraph', async () => {
    const calls = `[{"id":"c1","name":"ban","args":{"who":${id}}}]`;
    const text = `[{"type":"human","content":"go","id":"h"},{"type":"ai","content":"","id":"a","tool_calls":${calls}}]`;
    const [, call] = await imported('graph', 'graph.json', text);
    expect(call).toMatchObject({ tool_calls: [{ function: { arguments: `{"who":"${id}"}` } }] });
  });

  test('is text in a call of an export', async () => {
    const blocks = `[{"type":"tool_use","id":"c1","name":"ban","input":{"who":${id}}}]`;
    const text = `[{"uuid":"u","name":"t","chat_messages":[{"uuid":"m","sender":"assistant","content":${blocks}}]}]`;
    const [call] = await imported('export', 'export.json', text);
    expect(call).toEqual(JSON.parse(callOf(`{"who":"${id}"}`)));
  });

  test('is refused elsewhere in a message, with its file, its line and its place', async () => {
    const { code, stderr } = await dry(
      'field.jsonl',
      `${callOf('{}')}\n{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","n":-${id}}]}\n`,
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`field\\.jsonl:2: The number -${id} at content\\.0\\.n loses precision as a double`),
    );
  });

  test('changes nothing in a field that is not imported', async () => {
    const { code, stderr } = await dry('answer.jsonl', `${callOf('{}').slice(0, -1)},"usage":{"n":${id}}}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

/** Numbers that the API takes, and those that it refuses. */
const literals = [
  '0', '-0', '-1', '1.5', '9007199254740991', '-9007199254740991', '9007199254740992', '9007199254740993',
  '1234567890123456800', '1234567890123456789', '-1152921504606846976', '-1152921504606847000', '1e21', '1e300',
  '5e-324', '0.30000000000000004', '0.1000000000000000055511151231257827', '1e400', '-1e999', '1e-400', '0e999',
  '12345678901234567890.5',
]; // prettier-ignore

test('an import takes the numbers that the API takes', async () => {
  for (const [i, literal] of literals.entries()) {
    const message = `{"role":"user","content":"x","n":${literal}}`;
    const { status } = await api.call(
      'POST',
      `/v1/threads/number-${i}/messages`,
      `{"messages":[${message}]}`,
    );
    const { code } = await dry('number.jsonl', `${message}\n`);
    expect({ literal, code }).toEqual({ literal, code: status === 201 ? 0 : 2 });
  }
});
