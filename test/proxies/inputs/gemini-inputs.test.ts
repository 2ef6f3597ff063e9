import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gemini, model, says, startGeminiRig, user, type GeminiRig } from '../gemini/gemini-rig.js';
import { inputsOfModels } from './inputs-of-models.js';

let rig: GeminiRig;
beforeAll(async () => {
  rig = await startGeminiRig();
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
  rig.answer = says('It is applied.');
});

/** A content with a call of these arguments, letter by letter. */
const callOf = (args: string) =>
  `{"role":"model","parts":[{"functionCall":{"name":"apply","args":${args}},"thoughtSignature":"c2ln"}]}`;
const question = user('Apply it.');
const result = user({ functionResponse: { name: 'apply', response: { output: 'Done.' } } });

async function ask(id: string, contents: string): Promise<void> {
  const answer = await fetch(`${rig.google.url}/v1beta/models/${gemini}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': rig.stack.key, 'content-type': 'application/json', 'spillway-thread': id },
    body: `{"contents":${contents}}`,
  });
  expect(answer.status, await answer.text()).toBe(200);
}

describe.each(inputsOfModels)('arguments %s do not stop an agent of Gemini', (name, args) => {
  test('that sends the content back as its SDK read it', async () => {
    const id = `sdk-${name}`;
    rig.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"candidates":[{"content":${callOf(args)},"finishReason":"STOP","index":0}]}`);
    await ask(id, JSON.stringify([question]));
    const content = JSON.parse(callOf(args)) as object;
    rig.answer = says('It is applied.');
    await ask(id, JSON.stringify([question, content, result]));
    // The call is the one that is recorded already, so the model is shown what it wrote.
    expect(rig.sent().contents).toEqual([question, content, result]);
    await ask(id, JSON.stringify([question, content, result, model('It is applied.'), user('Thanks.')]));
    expect(rig.sent().contents).toEqual([
      question,
      content,
      result,
      model('It is applied.'),
      user('Thanks.'),
    ]);
    expect(await rig.api.thread(id)).toMatchObject({ last_seq: 6 });
  });

  test('that sends the text of the model back, and whose thread does not have the call yet', async () => {
    const id = `text-${name}`;
    await ask(id, `[${JSON.stringify(question)},${callOf(args)},${JSON.stringify(result)}]`);
    const [, recorded] = await rig.api.originals(id);
    expect(recorded!.content).toMatchObject([
      { type: 'tool-call', toolName: 'apply', input: { json: args } },
    ]);
    expect(rig.sent().contents[1]).toEqual(
      model({ functionCall: { name: 'apply', args: { json: args } }, thoughtSignature: 'c2ln' }),
    );
  });
});
