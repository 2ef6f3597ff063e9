import { expect, test } from 'vitest';
import {
  activeInstructions,
  assembleContext,
  budgetOf,
  contextWithin,
  countMessage,
  entryOfMessage,
  extractSummary,
  instructionsIn,
  Ledger,
  loadCounter,
  planCompaction,
  readMessage,
  renderInstructions,
  renderSummary,
  reservedFor,
  resolvePolicy,
  scoreFold,
  scoreOf,
  seqMessage,
  slotRoom,
  userMessage,
  withStates,
  type Body,
  type Stored,
} from './index.js';

const call = (id: string, name: string, input: object): Body => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id: string, content: string): Body => ({ role: 'tool', tool_call_id: id, content });

/** As an agent posts them, in OpenAI's chat format. */
const posted: Body[] = [
  { role: 'system', content: 'You are a support agent.' },
  {
    role: 'user',
    content: 'Please refund order HAT-271. Never write to the customer without asking me first.',
  },
  call('call_1', 'get_order', { order_id: 'HAT-271' }),
  result(
    'call_1',
    `{"order_id":"HAT-271","total":"189.00","history":"${'shipped, delivered, '.repeat(360)}"}`,
  ),
  call('call_2', 'refund_order', { order_id: 'HAT-271', amount: '189.00' }),
  result('call_2', '{"success":true,"refund_id":"RF-90211"}'),
  { role: 'assistant', content: 'I have refunded 189.00 for HAT-271. The refund is RF-90211.' },
  { role: 'user', content: 'Thanks. Now look at order HAT-300.' },
];

test('one fold: old messages become a summary that keeps what was asked, done and found', async () => {
  // The settings of the thread, and the tokens that follow from them in a small window.
  const settings = { context: { keep_recent_turns: 1 } };
  const policy = resolvePolicy(settings);
  const budget = budgetOf(settings, 4_000);
  const count = await loadCounter('estimate');
  const counter = { text: count, perMessage: policy.context.message_overhead };

  // Each message is read into its neutral form and counted. Decisions are made on entries, which hold no text.
  const stored = posted.map((body): Stored => ({ format: 'openai', body }));
  const entries = stored.map((one, i) => {
    const message = readMessage(one);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format: one.format });
  });
  const messages = stored.map((one, i) => seqMessage(i + 1, readMessage(one)));

  // What the user asked for from now on has a slot of its own, which the plan reserves.
  const instructions = withStates(messages.flatMap((message) => instructionsIn(message)));
  const slot = renderInstructions(instructions, slotRoom(budget.summaryTokens), count);

  // The cut: the newest turn stays, the turn before is covered. A tool call is never divided from its result.
  const [leading] = entries;
  const plan = planCompaction({
    policy: policy.context,
    budget,
    counter,
    systemTokens: 0,
    leading: [leading!],
    carried: [],
    summaryTokens: 0,
    coveredThrough: 0,
    recent: entries,
    ...reservedFor(slot),
    manual: false,
  });
  if (plan.kind !== 'compact') throw new Error(plan.reason);
  expect(plan).toMatchObject({ fromSeq: 1, toSeq: 7, carried: [], summarize: [2, 3, 4, 5, 6, 7] });

  // The summary, here by code: five fields of quotes, and the facts, which are the values of the ledger.
  const covered = messages.filter(({ seq }) => plan.summarize.includes(seq));
  const fields = extractSummary({ prior: null, messages: covered, maxTokens: plan.summaryTokens, count });
  expect(fields.task_overview).toContain('[2] user: "Please refund order HAT-271.');
  expect(fields.current_state).toContain('[5] refund_order(order_id: HAT-271, amount: 189.00)');

  // What a model sees in place of the covered messages: the instructions word for word, then the fields.
  const text = renderSummary(fields, { toSeq: plan.toSeq, instructions: slot.text });
  expect(text).toContain('- [2] user: Never write to the customer without asking me first.');
  expect(text).toContain('RF-90211');

  // The score: the shares of instructions and of used values that the summary still says.
  const ledger = new Ledger();
  ledger.add(covered);
  const beside = messages.at(-1)!.text;
  const held = activeInstructions(instructions);
  const fidelity = scoreFold({ text, beside, instructions: held, facts: ledger.used() });
  expect(scoreOf(fidelity)).toBe(1);

  // The context: the system message, the summary, the newest messages, in any format.
  const context = await contextWithin(
    {
      limit: budget.limit,
      systemTokens: 0,
      leading: [leading!],
      summary: { text, tokens: countMessage(userMessage(text), counter) },
      carried: [],
      recent: entries.slice(plan.toSeq),
      maxImages: policy.context.max_images,
      clearedThrough: plan.clearedThrough,
      holds: plan.holds,
    },
    (outline) =>
      Promise.resolve(
        assembleContext(outline, new Map(stored.map((one, i) => [i + 1, one])), {
          target: 'openai',
          counter,
        }),
      ),
  );
  if (!('messages' in context)) throw new Error(`needs ${context.minimum} tokens`);
  expect(context.parts.map(({ kind, seq }) => [kind, seq])).toEqual([
    ['system', 1],
    ['summary', null],
    ['note', null],
    ['recent', 8],
  ]);
  expect(context.messages.at(-1)).toBe(posted.at(-1));
  expect(context.tokens.total).toBeLessThan(plan.tokensBefore);
});
