import type { ContextOptions, Context, Format } from '@spillway/client';
import { counted } from '../program/counted.js';
import type { Command } from '../program/command.js';
import { isSet, textOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { readableMessage } from './readable-message.js';

/** A format of the API that is missing here does not compile. */
const formats = { openai: true, responses: true, anthropic: true, 'ai-sdk': true } satisfies Record<
  Format,
  true
>;

export const context: Command = {
  summary: 'Prints the context that the model would be sent now.',
  operands: [{ name: 'thread', required: true }],
  options: {
    format: {
      type: 'string',
      choices: Object.keys(formats),
      summary: "The provider's form. Default: the thread's.",
    },
    text: { type: 'boolean', summary: 'As a text to read, in place of JSON.' },
    'max-tokens': { type: 'string', value: 'n', summary: 'At most n tokens.' },
    at: { type: 'string', value: 'seq', summary: 'The context as it was when this message was the newest.' },
    model: { type: 'string', value: 'name', summary: "The model that it is for. Default: the thread's." },
    reasoning: {
      type: 'string',
      choices: ['auto', 'keep', 'strip'],
      summary: 'What becomes of signed reasoning.',
    },
    tools: { type: 'boolean', summary: 'With the tools that read what left the context.' },
  },
  notes: `Without options it prints an object with system, messages and, with --tools, tools: the fields of a request to the
provider. --json prints the whole answer of the API on one line, with tokens, budget and what was left out.
Scope: context:read.`,
  async run({ operands: [id], options, env, print }) {
    const asked: ContextOptions = {
      format: textOf(options, 'format') as Format | undefined,
      max_tokens: wholeNumberOf(options, 'max-tokens', { min: 1 }),
      at: wholeNumberOf(options, 'at', { min: 1 }),
      model: textOf(options, 'model'),
      reasoning: textOf(options, 'reasoning') as ContextOptions['reasoning'],
      tools: isSet(options, 'tools') ? true : undefined,
    };
    const answer = await clientOf(env).thread(id!).context(asked);
    if (print.json) return print.value(answer);
    if (isSet(options, 'text')) for (const line of readable(answer)) await print.line(line);
    else {
      const { system, messages, tools } = answer;
      await print.line(JSON.stringify({ system, messages, ...(tools ? { tools } : {}) }, null, 2));
    }
    print.note(sentence(answer));
  },
};

function readable({ system, messages }: Context): string[] {
  const head = system === null ? [] : ['--- system', system, ''];
  return [...head, ...messages.flatMap((message) => [...readableMessage(message), ''])];
}

function sentence({ tokens, budget, summary, elided, degraded, messages }: Context): string {
  const parts = [
    `${counted(messages.length, 'message')}, ${tokens.total} of ${budget.limit} tokens`,
    // It carries on what the generations before it said, and its own range begins behind theirs.
    ...(summary ? [`summary ${summary.generation} stands for messages 1-${summary.to_seq}`] : []),
    ...elided.map(
      ({ from_seq: from, to_seq: to, reason }) => `messages ${from}-${to} are left out (${reason})`,
    ),
    ...(degraded ? ['degraded: a compaction is behind'] : []),
  ];
  return `${parts.join('; ')}.`;
}
