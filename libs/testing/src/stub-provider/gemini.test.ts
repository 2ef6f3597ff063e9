import { expect, test } from 'vitest';
import { startStubProvider, type ScriptedModel } from '@spillway/testing';

const signed = Buffer.from('signed 000001').toString('base64');
const user = { role: 'user', parts: [{ text: 'Go.' }] };
const call = { functionCall: { name: 'list', args: {} }, thoughtSignature: signed };
const calls = { role: 'model', parts: [call, { functionCall: { name: 'read', args: {} } }] };
const answer = (name: string) => ({ functionResponse: { name, response: { result: 'x' } } });
const results = { role: 'user', parts: [answer('read'), answer('list')] };
const declared = (name: string) => ({ functionDeclarations: [{ name }] });

const functions = (...functionDeclarations: object[]) => ({
  contents: [user],
  tools: [{ functionDeclarations }],
});

/** Sends a request, and returns the status and what the provider says. */
async function sent(
  body: object,
  model: ScriptedModel = () => ({ text: 'Done.' }),
  method = 'generateContent',
  version = 'v1beta',
) {
  const provider = await startStubProvider({ model, contextWindow: 1_000 });
  try {
    const url = `${provider.url}/${version}/models/gemini-3-pro:${method}?alt=sse`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, text: await response.text(), accepted: provider.accepted.length };
  } finally {
    await provider.stop();
  }
}

test('a whole conversation is accepted, and answered at once or in pieces', async () => {
  const body = {
    contents: [user, calls, results],
    tools: [declared('list')],
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
  };
  const { status, text } = await sent(body);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'Done.', thoughtSignature: signed }] },
        finishReason: 'STOP',
      },
    ],
    modelVersion: 'gemini-3-pro',
  });
  const streamed = await sent(body, undefined, 'streamGenerateContent');
  expect(streamed.text.match(/^data: /gm)).toHaveLength(3);
  expect((await sent(body, undefined, 'generateContent', 'v1')).status).toBe(200);
  // An earlier turn needs no signatures.
  const { thoughtSignature: _, ...unsigned } = call;
  const earlier = [user, { role: 'model', parts: [unsigned] }, { role: 'user', parts: [answer('list')] }];
  expect(
    (await sent({ contents: [...earlier, { role: 'model', parts: [{ text: 'Yes.' }] }, user] })).status,
  ).toBe(200);
});

test('calls have ids, and the first one of a step is signed', async () => {
  const { text } = await sent({ contents: [user] }, () => ({
    calls: [
      { name: 'list', args: { n: 1 } },
      { name: 'list', args: { n: 2 } },
    ],
  }));
  const [{ content }] = (JSON.parse(text) as { candidates: [{ content: { parts: object[] } }] }).candidates;
  expect(content.parts).toEqual([
    { functionCall: { id: 'call-000001-0', name: 'list', args: { n: 1 } }, thoughtSignature: signed },
    { functionCall: { id: 'call-000001-1', name: 'list', args: { n: 2 } } },
  ]);
});

test.each<[string, object, RegExp]>([
  ['no contents', { contents: [] }, /contents is not specified/],
  ['an unknown parameter', { contents: [user], messages: [] }, /Unknown parameter: 'messages'/],
  [
    'an unknown field of a content',
    { contents: [{ ...user, id: '1' }] },
    /Unknown name "id" at 'contents\[0\]'/,
  ],
  [
    'an unknown field of a part',
    { contents: [{ role: 'user', parts: [{ text: 'x', type: 'text' }] }] },
    /"type"/,
  ],
  ['another role', { contents: [{ ...user, role: 'assistant' }] }, /valid role: user, model/],
  ['a content without parts', { contents: [{ role: 'user', parts: [] }] }, /must not be empty/],
  [
    'a part that is nothing',
    { contents: [{ role: 'user', parts: [{ thought: true }] }] },
    /oneof field 'data'/,
  ],
  [
    'calls at the start',
    { contents: [calls, results] },
    /function call turn comes immediately after a user turn/,
  ],
  [
    'calls after an answer',
    { contents: [user, { role: 'model', parts: [{ text: 'x' }] }, calls, results] },
    /after a user turn/,
  ],
  ['results without calls', { contents: [user, results] }, /immediately after a function call turn/],
  [
    'fewer results than calls',
    { contents: [user, calls, { role: 'user', parts: [answer('list')] }] },
    /equal to the number/,
  ],
  ['calls without results', { contents: [user, calls, user] }, /equal to the number/],
  [
    'results of other functions',
    { contents: [user, calls, { role: 'user', parts: [answer('list'), answer('list')] }] },
    /other functions/,
  ],
  [
    'a result that is no object',
    {
      contents: [
        user,
        calls,
        { role: 'user', parts: [{ functionResponse: { name: 'list', response: ['x'] } }] },
      ],
    },
    /must be an object/,
  ],
  [
    'a call without its signature',
    {
      contents: [
        user,
        { role: 'model', parts: [{ functionCall: call.functionCall }] },
        { role: 'user', parts: [answer('list')] },
      ],
    },
    /missing a thought_signature/,
  ],
  [
    'a signature that nobody gave',
    { contents: [user, { role: 'model', parts: [{ text: 'x', thoughtSignature: 'eA==' }] }, user] },
    /Corrupted thought signature/,
  ],
  [
    'a result for the id of another call',
    {
      contents: [
        user,
        { role: 'model', parts: [{ ...call, functionCall: { ...call.functionCall, id: '1' } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: '2', name: 'list', response: { result: 'x' } } }],
        },
      ],
    },
    /answers the call 2/,
  ],
  ['a function with a stray field', functions({ name: 'a', inputSchema: {} }), /Unknown name "inputSchema"/],
  ['a function with a name that is none', functions({ name: 'a b' }), /Invalid function name/],
  [
    'a function with two schemas',
    functions({ name: 'a', parameters: {}, parametersJsonSchema: {} }),
    /Only one of parameters/,
  ],
  ['two lists of functions', { contents: [user], tools: [declared('a'), declared('b')] }, /Multiple tools/],
  [
    'a function declared twice',
    { contents: [user], tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'a' }] }] },
    /Duplicate function/,
  ],
  [
    'more tokens than its window',
    { contents: [{ role: 'user', parts: [{ text: 'word '.repeat(1_100) }] }] },
    /too long/,
  ],
])('%s: refused', async (_, body, message) => {
  const { status, text, accepted } = await sent(body);
  expect(status).toBe(400);
  expect((JSON.parse(text) as { error: { message: string; status: string } }).error).toMatchObject({
    message: expect.stringMatching(message) as string,
    status: 'INVALID_ARGUMENT',
  });
  expect(accepted).toBe(0);
});
