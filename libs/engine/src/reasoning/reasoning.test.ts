import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Context } from '../context/context.js';
import type { Body } from '../messages/message.js';
import { applyReasoning, type ReasoningInput, type ServedPrefix } from './reasoning.js';

const asked: Body = { role: 'user', content: 'Which file?' };
const thought: Body = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'I think.', signature: 'signed' },
    { type: 'text', text: 'That one.' },
  ],
};

const contextOf = (...messages: Body[]): Context => ({
  messages,
  parts: messages.map((_, i) => ({ kind: 'recent', seq: i + 1, tokens: 10 })),
  system: [],
  tokens: { total: 10, system: 0, summary: 0, recent: 10 * messages.length },
  elided: [],
  dropped: [],
  lostReasoning: [],
  degraded: false,
  pendingCalls: [],
});

function reasoned(context: Context, input: Partial<ReasoningInput> = {}) {
  const hash = createHash('sha256');
  return applyReasoning(context, {
    mode: 'auto',
    format: 'anthropic',
    model: 'a',
    served: [],
    foldedThrough: 0,
    madeBy: () => null,
    hash: {
      add: (message) => void hash.update(JSON.stringify(message)),
      digest: () => hash.copy().digest('hex'),
    },
    counter: { text: (text) => text.length, perMessage: 1 },
    ...input,
  });
}

const reportOf = (...input: Parameters<typeof reasoned>) => reasoned(...input).report;

const kept = { kept: 1, stripped: 0, why: [] };
const strippedBecause = (why: string) => ({ kept: 0, stripped: 1, why: [why] });

describe('in a thread that no context was served of', () => {
  const imported = contextOf(asked, thought);

  test('reasoning is shown', () => {
    expect(reportOf(imported)).toEqual(kept);
  });

  test('reasoning from before the summary is left out: the summary is not what its model saw', () => {
    expect(reportOf(imported, { foldedThrough: 2 })).toEqual(strippedBecause('prefix_changed'));
    expect(reportOf(imported, { foldedThrough: 1 })).toEqual(kept);
  });

  test('reasoning of another model is left out', () => {
    expect(reportOf(imported, { madeBy: () => 'b' })).toEqual(strippedBecause('other_model'));
    expect(reportOf(imported, { madeBy: () => 'b', mode: 'keep' })).toEqual(kept);
  });
});

describe('an answer to a context that was served', () => {
  const digest = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  const served: ServedPrefix[] = [{ seq: 1, digest, model: 'a' }];

  test('keeps its reasoning when the same messages stand before it, whatever was folded', () => {
    expect(reportOf(contextOf(asked, thought), { served, foldedThrough: 2 })).toEqual(kept);
  });

  test('loses it when something else stands before it', () => {
    const changed = contextOf({ role: 'user', content: 'Which folder?' }, thought);
    expect(reportOf(changed, { served })).toEqual(strippedBecause('prefix_changed'));
  });

  test('loses it when another model is asked', () => {
    expect(reportOf(contextOf(asked, thought), { served, model: 'b' })).toEqual(
      strippedBecause('other_model'),
    );
  });
});

describe("items of OpenAI's Responses API whose reasoning is left out", () => {
  const sealed: Body = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
  const go: Body = { role: 'user', content: 'go' };
  const without = (...items: Body[]) => {
    const { context } = reasoned(contextOf(go, sealed, ...items), { format: 'responses', mode: 'strip' });
    return { items: context.messages.slice(1), dropped: context.dropped };
  };

  const calls: Body[] = [
    { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'a', name: 'run', input: 'x' },
    { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } },
    { type: 'apply_patch_call', call_id: 'a', status: 'completed', operation: { type: 'delete_file' } },
    { type: 'message', role: 'assistant', content: 'Done.' },
    { role: 'assistant', content: 'Done.' },
  ];
  const named = calls.map(
    (item) => [typeof item.type === 'string' ? item.type : 'a message without a type', item] as const,
  );
  test.each(named)('lose their id where the API does not require it: %s', (_, item) => {
    expect(without({ id: 'it_1', ...item })).toEqual({ items: [item], dropped: [] });
  });

  test('keep the id that an approval names', () => {
    const posted: Body[] = [
      { type: 'mcp_approval_request', id: 'mcpr_1', arguments: '{}', name: 'run', server_label: 's' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ];
    expect(without(...posted)).toEqual({ items: posted, dropped: [] });
  });

  test.each(['item_reference', 'web_search_call', 'file_search_call', 'code_interpreter_call', 'mcp_call'])(
    'are left out and reported where they have no place without their id: %s',
    (type) => {
      const answer: Body = { type: 'message', role: 'assistant', content: 'Done.' };
      const { items, dropped } = without({ type, id: 'it_1' }, { ...answer, id: 'msg_1' });
      expect(items).toEqual([answer]);
      expect(dropped).toEqual([{ seq: 3, what: `${type} without its reasoning` }]);
    },
  );

  test('are notes with their results where the call has no place without its id', () => {
    const address = 'data:image/png;base64,aaaa';
    const { items, dropped } = without(
      {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'a',
        status: 'completed',
        action: { type: 'screenshot' },
      },
      {
        type: 'computer_call_output',
        call_id: 'a',
        output: { type: 'computer_screenshot', image_url: address },
      },
    );
    expect(items).toEqual([
      {
        type: 'message',
        role: 'user',
        content: '[Your computer_call (a):]\n{"action":{"type":"screenshot"}}',
      },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: '[Result (a):]' },
          { type: 'input_image', detail: 'auto', image_url: address },
        ],
      },
    ]);
    expect(dropped.map(({ seq }) => seq)).toEqual([3, 4]);
  });
});
