import { createHash } from 'node:crypto';
import {
  applyReasoning,
  loadCounter,
  type Body,
  type Context,
  type FormatName,
  type MessageCounter,
  type Reasoned,
  type ServedPrefix,
} from '@spillway/engine';
import { checkRequest, sealReasoning, signThinking, type JsonMessage } from '@spillway/testing';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ThreadInMemory } from './thread-in-memory.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('estimate'), perMessage: 4 };
});

const runs = {
  numRuns: Math.ceil(Number(process.env.SPILLWAY_RUNS ?? 10_000) / 20),
  seed: Number(process.env.SPILLWAY_SEED ?? 1),
};
console.info(`signed reasoning of random agents: ${runs.numRuns} agents, SPILLWAY_SEED=${runs.seed}`);

type SignedFormat = Exclude<FormatName, 'openai'>;

/** The model's answer to a context: signed reasoning, a text, and perhaps a call. */
const answers: Record<SignedFormat, (signature: string, model: string, call: string | null) => Body[]> = {
  anthropic: (signature, _model, call) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I think.', signature },
        { type: 'text', text: 'So be it.' },
        ...(call ? [{ type: 'tool_use', id: call, name: 'run', input: {} }] : []),
      ],
    },
  ],
  'ai-sdk': (signature, _model, call) => [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'I think.', providerOptions: { anthropic: { signature } } },
        { type: 'text', text: 'So be it.' },
        ...(call ? [{ type: 'tool-call', toolCallId: call, toolName: 'run', input: {} }] : []),
      ],
    },
  ],
  responses: (_signature, model, call) => [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealReasoning(model) },
    call
      ? { type: 'function_call', id: 'fc_1', call_id: call, name: 'run', arguments: '{}' }
      : { type: 'message', id: 'msg_1', role: 'assistant', content: 'So be it.' },
  ],
};
const resultOf: Record<SignedFormat, (id: string, text: string) => Body> = {
  anthropic: (id, text) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: text }],
  }),
  'ai-sdk': (id, text) => ({
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: id, toolName: 'run', output: { type: 'text', value: text } },
    ],
  }),
  responses: (id, text) => ({ type: 'function_call_output', call_id: id, output: text }),
};

/** What happens next to an agent: how its turn goes, and what comes between. */
const step = fc.record({
  calls: fc.boolean(),
  /** The user speaks while the tool runs. */
  interrupted: fc.constantFrom(false, false, true),
  /** A fold commits while the model answers. */
  folds: fc.constantFrom(false, false, false, true),
  switches: fc.constantFrom(false, false, false, true),
  words: fc.nat({ max: 200 }),
});

test('signed reasoning that is shown always holds, whatever is folded, interrupted or switched', () => {
  let kept = 0;
  let stripped = 0;
  fc.assert(
    fc.property(
      fc.constantFrom<SignedFormat>('anthropic', 'ai-sdk', 'responses'),
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1_500, max: 20_000 }),
      (format, steps, window) => {
        const policy = { context: { response_reserve: 200, trigger_ratio: 0.7, reserve_ratio: 0.3 } };
        const thread = new ThreadInMemory(policy, window, counter);
        const served: ServedPrefix[] = [];
        let foldedThrough = 0;
        let model = 'a';
        const fold = (manual: boolean) => {
          const generations = thread.summaries.length;
          thread.compact(manual);
          if (thread.summaries.length > generations) foldedThrough = thread.entries.length;
        };
        const post = (body: Body) => {
          thread.post(format, body, false);
          if (thread.isDue) fold(false);
        };
        const reason = (context: Context): Reasoned => {
          const hash = createHash('sha256');
          return applyReasoning(context, {
            mode: 'auto',
            format,
            model,
            served,
            foldedThrough,
            madeBy: () => null,
            hash: {
              add: (message) => void hash.update(JSON.stringify(message)),
              digest: () => hash.copy().digest('hex'),
            },
            counter,
          });
        };
        steps.forEach(({ calls, interrupted, folds, switches, words }, n) => {
          if (switches) model = model === 'a' ? 'b' : 'a';
          post({ role: 'user', content: `do ${n} ${'word '.repeat(words)}` });
          const context = thread.context(format);
          if (!context || context.degraded) return;
          const reasoned = reason(context);
          const messages = reasoned.context.messages as JsonMessage[];
          expect(checkRequest(format, { messages, model })).toBeNull();
          // The same messages get the same decisions.
          expect(reason(context).context.messages).toEqual(messages);
          served.push({ seq: thread.entries.length, digest: reasoned.digest, model });
          kept += reasoned.report.kept;
          stripped += reasoned.report.stripped;
          if (folds) fold(true);
          const call = calls ? `call_${n}` : null;
          for (const body of answers[format](signThinking(model, { messages }), model, call)) post(body);
          if (call && interrupted) post({ role: 'user', content: 'wait' });
          if (call) post(resultOf[format](call, `result ${n}`));
        });
      },
    ),
    runs,
  );
  expect(kept).toBeGreaterThan(runs.numRuns);
  expect(stripped).toBeGreaterThan(0);
});
