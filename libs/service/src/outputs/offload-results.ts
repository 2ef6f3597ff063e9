import {
  callsOf,
  formats,
  mediaTokensIn,
  offloadableResultsOf,
  readMessage,
  resultsOf,
  shouldOffload,
  type Body,
  type FormatName,
  type Message,
  type ResultPart,
} from '@spillway/engine';
import { newestCaller, type UploadRow } from '@spillway/store';
import { countMessageOffLoop } from '../messages/count-message.js';
import { storedOf } from '../messages/entries.js';
import { offloadOutput, type StagedOutput } from './offload-output.js';
import { columnText } from './output-columns.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';

export interface Destination {
  projectId: string;
  threadId: string;
  /** The internal id, also of a thread that is about to be created. */
  threadUid: string;
}

export interface PostedResults {
  format: FormatName;
  body: Body;
  message: Message;
  /** Tokens of the whole message. */
  tokens: number;
  /** Tool names by call id, of the calls posted with it. */
  tools: ReadonlyMap<string, string>;
}

/**
 * Moves the large tool results of a message to storage, one by one, and returns the message with stubs. A result that
 * is the stub of an upload stays as it is.
 */
export async function offloadResults(
  rt: Runtime,
  to: Destination,
  posted: PostedResults,
  uploads: ReadonlyMap<ResultPart, UploadRow>,
  settings: ThreadSettings,
): Promise<{ body: Body; outputs: StagedOutput[] }> {
  const results = offloadableResultsOf(posted.message);
  const contents = formats[posted.format].resultContents(posted.body);
  const ofCaller = resultsOf(posted.message).length;
  const seen = seenByReasoning(posted.message);
  const outputs: StagedOutput[] = [];
  const stubs = new Map<number, unknown>();
  for (const [place, result] of results.entries()) {
    const upload = uploads.get(result);
    if (upload) {
      const tool = await toolOf(rt, { ...to, threadUid: upload.threadUid! }, result, posted.tools);
      outputs.push(uploadedOutput(upload, { place, tool, toolCallId: result.callId }));
      continue;
    }
    const isOfProvider = place >= ofCaller;
    if (isOfProvider && seen.has(result)) continue;
    // A provider's result stands among what its model said and thought.
    const counted =
      results.length === 1 && !isOfProvider ? posted.tokens : await countResult(result, settings);
    // Media stay where they are, so they are no reason to move the text beside them.
    const tokens = counted - mediaTokensIn(result.parts);
    const rules = { tokens, policy: settings.policy.outputs, contextLimit: settings.budget.limit };
    // It may take a query to find the tool, so that is done for large results alone.
    if (!shouldOffload(result, { ...rules, toolName: null })) continue;
    const tool = await toolOf(rt, to, result, posted.tools);
    if (!shouldOffload(result, { ...rules, toolName: tool })) continue;
    const of = { format: posted.format, result, content: contents[place], place, tokens, tool };
    const { output, stub } = await offloadOutput(rt, to, of, settings);
    outputs.push(output);
    stubs.set(place, stub);
  }
  const { format, body } = posted;
  return { body: stubs.size > 0 ? formats[format].withResultContents(body, stubs) : body, outputs };
}

const uploadedOutput = (
  { id, bytes, lines, tokens, contentType, kind, expiresAt }: UploadRow,
  result: { place: number; tool: string | null; toolCallId: string },
): StagedOutput => ({
  ...{ id, bytes: Number(bytes), lines, tokens, contentType, kind, expiresAt },
  state: 'ready',
  place: result.place,
  tool: columnText(result.tool),
  toolCallId: columnText(result.toolCallId),
});

/**
 * Results of the provider that stand before reasoning of the same message. Reasoning may be signed for what stands
 * before it, so they stay as their model saw them.
 */
function seenByReasoning({ parts }: Message): Set<ResultPart> {
  const newest = parts.findLastIndex(({ type }) => type === 'reasoning');
  return new Set(
    parts.flatMap((part, i) => (i < newest && part.type === 'other' && part.result ? [part.result] : [])),
  );
}

const countResult = (result: ResultPart, { counter }: ThreadSettings): Promise<number> =>
  countMessageOffLoop({ role: 'tool', name: null, parts: [result] }, counter);

/** The tool that a result is of, by its own name, a call posted with it, or one of an earlier message. */
async function toolOf(
  rt: Runtime,
  { projectId, threadUid }: Destination,
  { name, callId }: ResultPart,
  posted: ReadonlyMap<string, string>,
): Promise<string | null> {
  const known = name ?? posted.get(callId);
  if (known !== undefined) return known;
  if (callId === '') return null;
  const found = await newestCaller(rt.store.query, { projectId, threadUid }, callId);
  if (!found) return null;
  return callsOf(readMessage(storedOf(found))).find((call) => call.id === callId)?.name ?? null;
}
