import { setImmediate } from 'node:timers/promises';
import {
  extractSummary,
  formats,
  instructionsIn,
  loadCounter,
  renderInstructions,
  seqMessage,
  slotRoom,
  withStates,
  type Body,
  type CountTokens,
  type Instruction,
} from '@spillway/engine';
import type { Runtime } from '../runtime.js';

/** V8 compiles for good what ran some hundred times: after three such threads a fold takes what it takes later. */
const threads = ['first', 'second', 'third'];
const summaryTokens = 1_024;

/**
 * What a user, an agent and a tool say of `name`. The user's sentences may be instructions, so every rule looks at
 * them.
 */
export const messagesOf = (name: string): Body[] => {
  const lines = (line: (i: number) => string): string =>
    Array.from({ length: 40 }, (_, i) => line(i)).join(' ');
  const call = { id: name, type: 'function', function: { name: 'test', arguments: `{"module":"${name}"}` } };
  return [
    {
      role: 'user',
      content: lines(
        (i) => `Step ${i} belongs to the ${name} group, and its log is long; somebody reads it.`,
      ),
    },
    { role: 'assistant', content: `I run the tests of ${name}.`, tool_calls: [call] },
    {
      role: 'tool',
      tool_call_id: name,
      content: lines((i) => `ok ${i} ${name}.test.ts\nError: ${name}_${i} is missing\n`),
    },
    { role: 'assistant', content: lines((i) => `The ${name} module lacks part ${i}, so its test fails.`) },
  ];
};

/**
 * Runs what the first compaction of a process needs and compiles or loads when it is first used: the counter of tokens,
 * the rules of standing instructions, the extractive summary. Otherwise the first threads would wait for it, each
 * several times as long as later ones. Other work goes on in between.
 */
export async function warmUp({ settings }: Pick<Runtime, 'settings'>): Promise<void> {
  const { counter, chars_per_token: charsPerToken } = settings.serverDefaults().context;
  const count = await loadCounter(counter, charsPerToken);
  for (const name of threads) await foldInMemory(messagesOf(name), count);
}

async function foldInMemory(bodies: readonly Body[], count: CountTokens): Promise<void> {
  const messages = bodies.map((body, i) => seqMessage(i + 1, formats.openai.read(body)));
  const found: Instruction[][] = [];
  for (const message of messages) {
    await setImmediate();
    count(message.text);
    found.push(instructionsIn(message));
  }
  await setImmediate();
  renderInstructions(withStates(found.flat()), slotRoom(summaryTokens), count);
  await setImmediate();
  extractSummary({ prior: null, messages, maxTokens: summaryTokens, count });
}
