import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { model, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
});

const answers = (...output: object[]) => {
  rig.answer = (response) => {
    const body = { object: 'response', status: 'completed', output, usage: null };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};
const ask = (id: string, input: object[]) =>
  fetch(`${rig.stack.url}/v1/responses`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.stack.key}`,
      'content-type': 'application/json',
      'spillway-thread': id,
    },
    body: JSON.stringify({ model, input }),
  });
const sent = () => rig.received.at(-1)!.body.input;

const reasoning = (n: number) => ({ type: 'reasoning', id: `rs_${n}`, summary: [] });
const call = (n: number) => ({
  type: 'function_call',
  ...{ id: `fc_${n}`, call_id: `call_${n}`, name: 'list', arguments: '{}', status: 'completed' },
});
const message = (n: number, text: string) => ({
  type: 'message',
  ...{ id: `msg_${n}`, role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text, annotations: [] }],
});
/** An item that OpenAI keeps, as the AI SDK names it where it has seen it before. */
const reference = ({ id }: { id: string }) => ({ type: 'item_reference', id });
const callAgain = (n: number) => ({
  type: 'function_call',
  ...{ call_id: `call_${n}`, name: 'list', arguments: '{}' },
});
const result = (n: number) => ({ type: 'function_call_output', call_id: `call_${n}`, output: `file ${n}` });

test('a loop whose requests refer to items of earlier answers goes on, and the model is sent the items', async () => {
  const history: object[] = [user('which files?')];
  const whole: object[] = [user('which files?')];
  for (let n = 1; n <= 3; n++) {
    answers(reasoning(n), call(n));
    expect((await ask('loop', history)).status).toBe(200);
    expect(sent()).toEqual(whole);
    history.push(reference(reasoning(n)), callAgain(n), result(n));
    whole.push(reasoning(n), call(n), result(n));
  }
  answers(reasoning(4), message(4, 'Three files.'));
  await ask('loop', history);
  expect(sent()).toEqual(whole);
  answers(message(5, 'Yes.'));
  const next = [...history, reference(reasoning(4)), reference(message(4, '')), user('sure?')];
  await ask('loop', next);
  expect(sent()).toEqual([...whole, reasoning(4), message(4, 'Three files.'), user('sure?')]);
  // Again, after a lost answer.
  await ask('loop', next);
  expect(sent()).toEqual([...whole, reasoning(4), message(4, 'Three files.'), user('sure?')]);
});

test('a reference to an item that the thread does not have is refused, and nothing is recorded', async () => {
  answers(message(1, 'never'));
  const unknown = [user('a'), { type: 'item_reference', id: 'msg_elsewhere' }, user('b')];
  const refused = await ask('unknown', unknown);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({
    errors: [{ path: '/input', message: expect.stringContaining('msg_elsewhere') as string }],
  });
  expect((await rig.api.call('GET', '/v1/threads/unknown')).status).toBe(404);
  await ask('known', [user('a')]);
  rig.received = [];
  expect((await ask('known', unknown)).status).toBe(422);
  expect(rig.received).toEqual([]);
  expect((await rig.api.context('known')).messages).toEqual([user('a'), message(1, 'never')]);
});
