import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  applyReasoning,
  assembleContext,
  contextWithin,
  countMessage,
  entryOfMessage,
  erasedBody,
  formats,
  loadCounter,
  type Body,
  type FormatName,
  type Reasoned,
} from '../index.js';

const counter = { text: await loadCounter('estimate'), perMessage: 4 };
const long = 'All work and no play. '.repeat(400);
const go: Body = { role: 'user', content: 'go' };

/** The thread within `limit` tokens, as it is sent. */
async function sent(format: FormatName, limit: number, ...posted: Body[]): Promise<Reasoned> {
  const recent = posted.map((body, i) => {
    const message = formats[format].read(body);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format });
  });
  const input = { limit, systemTokens: 0, leading: [], carried: [], summary: null, recent };
  const bodies = new Map(posted.map((body, i) => [i + 1, { format, body }]));
  const context = await contextWithin({ ...input, maxImages: 5, clearedThrough: 0 }, (outline) =>
    Promise.resolve(assembleContext(outline, bodies, { target: format, counter })),
  );
  if ('minimum' in context) throw new Error(`does not fit ${limit}`);
  const hash = createHash('sha256');
  return applyReasoning(context, {
    mode: 'auto',
    format,
    model: 'a',
    served: [],
    foldedThrough: 0,
    madeBy: () => null,
    hash: {
      add: (message) => void hash.update(JSON.stringify(message)),
      digest: () => hash.copy().digest('hex'),
    },
    counter,
  });
}

const inLoop = { kept: 0, stripped: 1, why: ['prefix_changed_in_tool_loop'] };

describe('reasoning that a shortened message loses is reported, and nothing refers to it', () => {
  const thought: Body = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: long }],
    encrypted_content: 'sealed',
  };
  const call: Body = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'run', arguments: '{}' };
  const output: Body = { type: 'function_call_output', call_id: 'a', output: 'done' };

  test('the items after it lose their ids in the Responses API', async () => {
    const { context, report, brokenLoop } = await sent('responses', 400, go, thought, call, output);
    const items = context.messages.map(({ type, id }) => [type, id]);
    expect(items).toContainEqual(['function_call', undefined]);
    expect(JSON.stringify(context.messages)).not.toContain('_1"');
    expect(report).toEqual(inLoop);
    expect(brokenLoop).toBe(2);
  });

  test('the reason names no tool loop where none runs', async () => {
    const answer: Body = { type: 'message', id: 'msg_1', role: 'assistant', content: 'Done.' };
    const { context, report } = await sent('responses', 400, go, thought, answer, go);
    expect(JSON.stringify(context.messages)).not.toContain('msg_1');
    expect(report).toEqual({ kept: 0, stripped: 1, why: ['prefix_changed'] });
  });

  test("a thinking block before a call in Anthropic's format", async () => {
    const posted: Body[] = [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: long, signature: 'signed' },
          { type: 'tool_use', id: 'a', name: 'run', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] },
    ];
    const { context, report, brokenLoop } = await sent('anthropic', 400, ...posted);
    expect(JSON.stringify(context.messages)).not.toContain('thinking');
    expect(report).toEqual(inLoop);
    expect(brokenLoop).toBe(2);
  });

  test('the parts of an answer lose their item ids in the AI SDK', async () => {
    const of = (itemId: string) => ({ providerOptions: { openai: { itemId } } });
    const posted: Body[] = [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: long, ...of('rs_1') },
          { type: 'tool-call', toolCallId: 'a', toolName: 'run', input: {}, ...of('fc_1') },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'run', output: { type: 'text', value: 'done' } },
        ],
      },
    ];
    const { context, report } = await sent('ai-sdk', 400, ...posted);
    expect(JSON.stringify(context.messages)).not.toContain('_1"');
    expect(report).toEqual(inLoop);
  });

  test('reasoning for a call that became a note goes with it', async () => {
    const computer: Body = {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'b',
      action: { type: 'screenshot' },
    };
    const { context, report } = await sent('responses', 99_999, go, thought, call, computer, output, go);
    expect(context.messages.map(({ type, id }) => [type, id])).not.toContainEqual(['reasoning', 'rs_1']);
    expect(JSON.stringify(context.messages)).not.toContain('fc_1');
    expect(report).toEqual({ kept: 0, stripped: 1, why: ['prefix_changed'] });
  });

  test('a message that is shown whole keeps it', async () => {
    const { context, report } = await sent('responses', 99_999, go, thought, call, output);
    expect(context.messages).toEqual([go, thought, call, output]);
    expect(report).toEqual({ kept: 1, stripped: 0, why: [] });
  });
});

test('reasoning that was erased is reported too, and nothing refers to it', async () => {
  const secret = 'a secret';
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: secret };
  const call: Body = { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' };
  const output: Body = { type: 'function_call_output', call_id: 'a', output: 'done' };
  const erased = erasedBody({ format: 'responses', body: thought });
  const { context, report } = await sent('responses', 9_999, go, erased, { ...call, id: 'fc_1' }, output, go);
  expect(context.messages).toEqual([go, call, output, go]);
  expect(report).toEqual({ kept: 0, stripped: 1, why: ['prefix_changed'] });
});
