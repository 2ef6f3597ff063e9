import { isGeminiFunctions, type AgentThread, type ReaderTool } from '@spillway/client/agent';
import type { CallableTool, Config, Declaration, Declarations, FunctionCall, FunctionPart } from './sdk.js';

/** A tool of a request, as the adapter gives it to the SDK. */
export type Tool = CallableTool | Declarations;

const isCallable = (tool: object): tool is CallableTool =>
  'callTool' in tool && typeof tool.callTool === 'function';

const declared = ({ name, description, parameters }: ReaderTool): Declaration => ({
  name,
  description,
  parametersJsonSchema: parameters,
});

/** Returns the tools with which the model reads what left its context. Calls of other functions are left out. */
export function readersOf(
  thread: () => AgentThread,
  readers: readonly ReaderTool[],
  signal: AbortSignal | undefined,
): CallableTool {
  const run = async ({ id, name = '', args = {} }: FunctionCall): Promise<FunctionPart> => {
    const output = await thread().runTool(name, args, signal);
    return { functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } } };
  };
  return {
    tool: () => Promise.resolve({ functionDeclarations: readers.map(declared) }),
    callTool: (calls) =>
      Promise.all(calls.filter(({ name }) => readers.some((reader) => reader.name === name)).map(run)),
  };
}

/**
 * Returns the caller's tools with the reader tools. Gemini takes all functions in one tool: the caller's list gets them,
 * or one tool runs the caller's functions and ours. The caller's own function of such a name stays.
 */
export function toolsWith(own: Config, thread: () => AgentThread, readers: readonly ReaderTool[]): object[] {
  const { tools = [], cachedContent, abortSignal } = own;
  if (cachedContent !== undefined) return [...tools];
  const list = tools.find(isGeminiFunctions);
  if (!list) {
    const whole = oneTool(tools.filter(isCallable), readersOf(thread, readers, abortSignal));
    return [whole, ...tools.filter((tool) => !isCallable(tool))];
  }
  const taken = list.functionDeclarations.map(({ name }) => name);
  const added = readers.filter(({ name }) => !taken.includes(name)).map(declared);
  const longer = { ...list, functionDeclarations: [...list.functionDeclarations, ...added] };
  return tools.map((tool) => (tool === list ? longer : tool));
}

/** One tool with the functions of several. The SDK gives every tool all calls; each of these gets its own. */
function oneTool(own: readonly CallableTool[], readers: CallableTool): CallableTool {
  /** A function that two tools declare is that of the first one. */
  const functions = async () => {
    const found = new Map<string | undefined, { tool: CallableTool; declaration: Declaration }>();
    for (const tool of [...own, readers])
      for (const declaration of (await tool.tool()).functionDeclarations ?? [])
        if (!found.has(declaration.name)) found.set(declaration.name, { tool, declaration });
    return found;
  };
  return {
    async tool() {
      const found = [...(await functions()).values()];
      return { functionDeclarations: found.map(({ declaration }) => declaration) };
    },
    async callTool(calls) {
      const found = await functions();
      const parts: FunctionPart[] = [];
      for (const tool of [...own, readers]) {
        const its = calls.filter(({ name }) => found.get(name)?.tool === tool);
        if (its.length > 0) parts.push(...(await tool.callTool(its)));
      }
      return parts;
    },
  };
}
