import {
  mcpToolSchemas,
  readerToolSchemas,
  threadIdArgument,
  threadIdOfOutput,
  type McpTool,
  type Scope,
} from '@spillway/contracts';
import {
  getOutput,
  getThread,
  holdTool,
  listThreadsTool,
  readContextTool,
  readerToolNames,
  runReaderTool,
  type CallerRow,
  type ReaderAnswer,
  type ReaderCall,
  type ReaderThread,
  type ReaderTool,
  type Runtime,
} from '@spillway/service';
import { z } from 'zod';
import { answerSchemas } from './answer-schemas.js';

/** A tool as one caller has it. */
export interface OfferedTool {
  /** Which tool of ours it is: a policy chooses its name. */
  tool: McpTool;
  name: string;
  description: string;
  arguments: z.ZodType;
  /** The JSON Schema of what it answers as data. Undefined when its answer is a text alone. */
  outputSchema: (typeof answerSchemas)[string];
  /** Whether a call counts as a search. */
  isExpensive: boolean;
  /** Whether a call leaves the thread as it is. */
  isRead: boolean;
  /** Takes arguments that were checked. */
  run(args: unknown): Promise<ReaderAnswer>;
}

type Arguments = Record<string, unknown>;
type Run = (rt: Runtime, of: ReaderThread, args: Arguments) => Promise<ReaderAnswer>;

const readers = Object.fromEntries(
  Object.keys(readerToolSchemas).map((tool): [string, Run] => [
    tool,
    (rt, of, args) => runReaderTool(rt, of, { tool, arguments: args } as unknown as ReaderCall),
  ]),
) as Record<ReaderTool, Run>;

/** What each tool of one thread does. */
const runs: Record<Exclude<McpTool, 'list_threads'>, Run> = {
  get_context: (rt, of, { max_tokens: maxTokens }) =>
    readContextTool(rt, { ...of, maxTokens: maxTokens as number | undefined }),
  keep: (rt, of, args) => holdTool(rt, of, 'keep', args),
  release: (rt, of, args) => holdTool(rt, of, 'release', args),
  ...readers,
};

/** Tools whose `id` names an output. That of `keep` may be missing. */
const outputTools: ReadonlySet<string> = new Set<ReaderTool>([
  'read_output',
  'grep_output',
  'outline_output',
]);

/** What a tool needs beside the scopes of the route. */
const scopes: Partial<Record<McpTool, Scope>> = { keep: 'messages:write', release: 'messages:write' };

/**
 * The tools that a caller has, by name. A thread token has its thread's tools under the names that its stubs use. A key
 * says with each call which thread it is about, unless the call names an output. Throws `thread_not_found`.
 */
export async function offeredTools(rt: Runtime, caller: CallerRow): Promise<Map<string, OfferedTool>> {
  const may = (tool: string): boolean => {
    const scope = scopes[tool as McpTool];
    return scope === undefined || [scope, 'admin'].some((one) => caller.scopes.includes(one));
  };
  const own = caller.token === null ? null : await ownThread(rt, caller.projectId, caller.token.threadId);
  const tools = Object.entries(runs).filter(([tool]) => may(tool));
  const offered = tools.map(([tool, run]) => {
    const { description, arguments: schema } = mcpToolSchemas[tool as McpTool];
    const ofTool = {
      tool: tool as McpTool,
      description,
      outputSchema: answerSchemas[tool],
      isExpensive: tool in readers,
      isRead: scopes[tool as McpTool] === undefined,
    };
    if (own !== null)
      return {
        ...ofTool,
        name: own.names[tool as ReaderTool] ?? tool,
        arguments: schema,
        run: (args: unknown) => run(rt, { ...own.thread, structured: true }, args as Arguments),
      };
    const { projectId } = caller;
    const isOfOutput = outputTools.has(tool);
    return {
      ...ofTool,
      name: tool,
      arguments: z.strictObject({
        thread_id: isOfOutput ? threadIdOfOutput : threadIdArgument,
        ...schema.shape,
      }),
      run: async (args: unknown) => {
        const { thread_id: named, ...rest } = args as Arguments & { thread_id?: string };
        const threadId = named ?? (await getOutput(rt, projectId, rest.id as string)).threadId;
        const calls = { names: readerToolNames(), also: named === undefined ? {} : { thread_id: named } };
        return run(rt, { projectId, threadId, calls, structured: true }, rest);
      },
    };
  });
  const all = own === null ? [listing(rt, caller.projectId), ...offered] : offered;
  // A policy may give a reader tool the name of one of the others. The reader tool, which stubs name, comes later and has it.
  return new Map(all.map((tool) => [tool.name, tool] as const));
}

function listing(rt: Runtime, projectId: string): OfferedTool {
  const { description, arguments: schema } = mcpToolSchemas.list_threads;
  const run = (args: unknown) => listThreadsTool(rt, projectId, args as z.infer<typeof schema>);
  return {
    ...{ tool: 'list_threads', name: 'list_threads', description, arguments: schema },
    ...{ outputSchema: answerSchemas.list_threads, isExpensive: false, isRead: true, run },
  };
}

async function ownThread(rt: Runtime, projectId: string, threadId: string) {
  const { policy } = await rt.settings.ofRow(await getThread(rt, projectId, threadId));
  const names: Partial<Record<string, string>> = readerToolNames(policy.outputs.tool_names);
  return { thread: { projectId, threadId }, names };
}
