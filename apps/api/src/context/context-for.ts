import type { contextBody } from '@spillway/contracts';
import {
  contextSince,
  getThread,
  readContext,
  readerToolNames,
  serveContext,
  toolNameOf,
  waitForFold,
  type CallerRow,
  type ContextChange,
  type FormatName,
  type ReadContext,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { toolsIn } from '../tools/tool-definitions.js';

type Options = z.infer<typeof contextBody>;

export interface ContextWithTools extends ReadContext {
  /** The reader tools, when they were asked for. */
  tools?: Record<string, unknown>[];
  /** With `since`. */
  change?: ContextChange;
}

/** The context of a thread as a caller asks for it. */
export async function contextFor(
  rt: Runtime,
  caller: CallerRow,
  threadId: string,
  options: Options,
): Promise<ContextWithTools> {
  const { max_tokens: maxTokens, omit, wait, since, tools: withTools, ...rest } = options;
  const { projectId } = caller;
  if (wait !== undefined) await waitForFold(rt, { projectId, threadId }, wait);
  const tools = withTools ? await toolsFor(rt, projectId, threadId, options.format) : undefined;
  const asked = { projectId, threadId, ...rest, tools: tools?.added, ...(maxTokens ? { maxTokens } : {}) };
  // Recorded and counted as served only when it may go to a model. A session belongs to a person, and `at` reads the
  // past.
  const isServed = caller.sessionId === null && options.at === undefined && !omit;
  const read = isServed ? serveContext : readContext;
  if (since === undefined) {
    const context = await read(rt, asked);
    return tools ? { ...context, tools: tools.all } : context;
  }
  const { context, change } = await contextSince(rt, asked, since, read);
  return { ...context, ...(tools ? { tools: tools.all } : {}), change };
}

/** The reader tools of a thread, and those that its own tools do not have already. */
async function toolsFor(rt: Runtime, projectId: string, threadId: string, format?: FormatName) {
  const thread = await getThread(rt, projectId, threadId);
  const settings = await rt.settings.ofRow(thread);
  const all = toolsIn(format ?? settings.format, readerToolNames(settings.policy.outputs.tool_names));
  const own = new Set((JSON.parse(thread.tools ?? '[]') as unknown[]).map(toolNameOf));
  return { all, added: all.filter((tool) => !own.has(toolNameOf(tool))) };
}
