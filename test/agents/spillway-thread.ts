import type { Schemas } from '@spillway/client';
import { apiOf } from '@spillway/testing';
import type { BorrowedStack } from '../borrowed-stack.js';
import { listOrders, needles, runSuite, type Search } from './scripted-turns.js';

type Context = Schemas['Context'];

/** The agent's side of a thread: what an integration by hand consists of, and what it saw. */
export class SpillwayThread {
  readonly served: Context[] = [];
  /** Searches whose answer held what was looked for, of all that were made. */
  found = 0;
  searched = 0;
  private readonly api;

  constructor(
    stack: BorrowedStack,
    readonly id: string,
    readonly format: string,
  ) {
    this.api = apiOf(stack);
  }

  create(tools: unknown): Promise<unknown> {
    return this.api.createThread({
      id: this.id,
      system: 'You repair the shop.',
      model: 'a-model-of-sixteen-k',
      tools,
      policy: { context: { context_window: 16_000 } },
    });
  }

  /** Records messages, and what the provider counted of the newest context. */
  async record(messages: readonly object[], usage?: object): Promise<void> {
    const fingerprint = this.served.at(-1)?.fingerprint;
    const body = { messages, ...(usage === undefined ? {} : { usage, fingerprint }) };
    const answer = await this.api.call('POST', `/v1/threads/${this.id}/messages?format=${this.format}`, body);
    if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async context(): Promise<Context> {
    const context = await this.api.context(this.id, `?format=${this.format}`);
    this.served.push(context);
    return context;
  }

  /** The context that was served when `seq` was the newest message. */
  at = (seq: number): Promise<Context> => this.api.context(this.id, `?format=${this.format}&at=${seq}`);

  /** Runs a tool as the agent's program would: its own, or a search in a stored output. */
  async run(name: string, args: Record<string, unknown>): Promise<string | object> {
    const n = Number(args.n);
    if (name === 'run_suite') return runSuite(n);
    if (name === 'list_orders') return listOrders(n);
    if (name === 'note') return `Noted step ${n}.`;
    const { output_id, pattern, tool } = args as unknown as Search;
    const path = `/v1/outputs/${output_id}/grep?pattern=${encodeURIComponent(pattern)}&limit=5`;
    const { body } = await this.api.call('GET', path);
    const text = JSON.stringify(body);
    this.searched++;
    if (text.includes(JSON.stringify(needles[tool](n)).slice(1, -1))) this.found++;
    return text;
  }
}

export const asText = (result: string | object): string =>
  typeof result === 'string' ? result : JSON.stringify(result);

/** Schemas of the agent's tools: the parameters are the same whatever the provider. */
export const toolSchemas = ['run_suite', 'list_orders', 'note', 'grep_output'].map((name) => ({
  name,
  description: `Runs ${name}.`,
  parameters: {
    type: 'object' as const,
    properties: {
      n: { type: 'number' as const },
      tool: { type: 'string' as const },
      output_id: { type: 'string' as const },
      pattern: { type: 'string' as const },
    },
    required: ['n'],
    additionalProperties: true as const,
  },
}));
