import { pathToFileURL } from 'node:url';
import type { Sdk } from '@spillway/strands';
import { installFramework } from '../install-framework.js';

export interface Block {
  text?: string;
  toolUse?: { name: string };
  toolResult?: object;
}

/** A message in JSON. */
export interface MessageJson {
  role: string;
  content: Block[];
}

export interface Result {
  stopReason: string;
  lastMessage: { toJSON(): MessageJson };
}

export interface Agent {
  sessionId: string;
  messages: { toJSON(): MessageJson }[];
  invoke(question: string, options?: object): Promise<Result>;
  stream(question: string, options?: object): AsyncGenerator<unknown, Result, undefined>;
}

/** What tests use of `@strands-agents/sdk`, whose types `npm ci` does not install. */
export interface Strands extends Sdk<object> {
  Agent: new (options: object) => Agent;
  OpenAIModel: new (options: object) => object;
  NullConversationManager: new () => object;
  SlidingWindowConversationManager: new (options: { windowSize: number }) => object;
  folder: string;
}

export async function loadStrands(): Promise<Strands> {
  const folder = await installFramework('strands');
  const from = (path: string) =>
    import(
      pathToFileURL(`${folder}/node_modules/@strands-agents/sdk/dist/src/${path}`).href
    ) as Promise<object>;
  const [sdk, openai] = await Promise.all([from('index.node.js'), from('models/openai/index.js')]);
  return { ...sdk, ...openai, folder } as Strands;
}
