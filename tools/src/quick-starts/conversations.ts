import type { ScriptedModel } from '@spillway/testing';

/** What is said in a quick start. The model is scripted; who asks and which tool runs is up to the program. */
export interface Conversation {
  question: RegExp;
  /** Null for a model that answers at once. */
  call: {
    tool: string;
    args: Record<string, unknown>;
    /** A part of what the tool returns. */
    inResult: string;
  } | null;
  answer: string;
}

/** The question of the client's page, which has no tool. */
export const build: Conversation = { question: /fail/, call: null, answer: 'A test failed.' };

/** The question of programs that bring a tool. */
export const orders: Conversation = {
  question: /order/,
  call: { tool: 'listOrders', args: {}, inResult: 'order-2 damaged' },
  answer: 'Order 2 is damaged.',
};

/** The question to a coding agent, which runs commands by a tool of its own. */
export const folder = (tool: string): Conversation => ({
  question: /in this folder/,
  call: {
    tool,
    args: { command: 'ls', description: 'Lists the files of this folder' },
    inResult: 'package.json',
  },
  answer: 'A package.json and what it installs.',
});

/** The same question to Codex, whose tool is called otherwise. */
export const folderOfCodex: Conversation = {
  ...folder('exec_command'),
  call: { tool: 'exec_command', args: { cmd: 'ls' }, inResult: 'package.json' },
};

/** Returns the model of a conversation: it calls the tool if it has it and no result yet, and answers otherwise. */
export const modelOf =
  ({ call, answer }: Conversation): ScriptedModel =>
  ({ results, tools }) =>
    call && results.length === 0 && tools.includes(call.tool)
      ? { calls: [{ name: call.tool, args: call.args }] }
      : { text: answer };
