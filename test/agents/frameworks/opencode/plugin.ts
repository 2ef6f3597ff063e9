import { createSpillway, type AgentOptions, type OpencodePlugin } from '@spillway/opencode';

/** What a test says to the plugin by `opencode.json`. */
export interface PluginOptions {
  spillway: AgentOptions;
  instructions: string;
  /** A server of the test: it runs the agent's own tool, and hears when a run has ended. */
  testUrl: string;
}

/** What the test hears at the end of a run. */
export interface RunEnd {
  sessionId: string;
  status: ReturnType<typeof createSpillway>['status'];
  /** What was logged since the last run. */
  lines: string[];
}

/**
 * The plugin that opencode loads in conformance tests: the adapter, one tool, and nothing of opencode's own prompt, so
 * that tests know what the model is sent.
 */
export default async function plugin(input: Parameters<OpencodePlugin>[0], options: PluginOptions) {
  const { spillway: agentOptions, instructions, testUrl } = options;
  const lines: string[] = [];
  const spillway = createSpillway({ ...agentOptions, log: (line) => lines.push(line) });
  const hooks = await spillway.plugin(input);
  return {
    ...hooks,
    tool: {
      ...hooks.tool,
      list_orders: {
        description: 'Lists all orders.',
        args: { n: { type: 'number' } },
        execute: async () => (await fetch(`${testUrl}/orders`)).text(),
      },
    },
    async 'experimental.chat.system.transform'(asked: { sessionID?: string }, output: { system: string[] }) {
      output.system.splice(0, output.system.length, instructions);
      await hooks['experimental.chat.system.transform'](asked, output);
    },
    async event(happened: { event: { type: string; properties: { sessionID: string } } }) {
      await hooks.event(happened);
      const { type, properties } = happened.event;
      if (type !== 'session.idle') return;
      await spillway.settled();
      const end: RunEnd = {
        sessionId: properties.sessionID,
        status: spillway.status,
        lines: lines.splice(0),
      };
      await fetch(`${testUrl}/ended`, { method: 'POST', body: JSON.stringify(end) });
    },
  };
}
