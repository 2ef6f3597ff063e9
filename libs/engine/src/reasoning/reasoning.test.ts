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
  degraded: false,
  pendingCalls: [],
});

function reportOf(context: Context, input: Partial<ReasoningInput> = {}) {
  const hash = createHash('sha256');
  const { report } = applyReasoning(context, {
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
  return report;
}

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
