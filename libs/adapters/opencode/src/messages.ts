import { ownMessages } from '@spillway/client/agent';
import type { Entry, FilePart, Info, Part, ToolState } from './opencode.js';

/** A part of a model message of the AI SDK. */
interface ModelPart {
  type: string;
  [key: string]: unknown;
}

interface ModelMessage {
  role: string;
  content: string | ModelPart[];
  [key: string]: unknown;
}

/** Returns the messages of a session that opencode sends to the model, as model messages of the AI SDK. */
export const historyOf = (entries: readonly Entry[]): ModelMessage[] => entries.flatMap(modelMessages);

/**
 * Returns a question, or an answer and the results of its calls; nothing for what the model is not sent. A compaction
 * of opencode is left out too: the thread has a summary of its own.
 */
export function modelMessages(entry: Entry): ModelMessage[] {
  const { info, parts } = entry;
  if (info.role === 'user') {
    const content = isCompaction(entry) ? [] : parts.flatMap((part) => userPart(part) ?? []);
    return content.length > 0 ? [{ role: 'user', content }] : [];
  }
  if (info.summary === true || isUnfinished(entry)) return [];
  const content = parts.flatMap(answerParts);
  const results = parts.filter((part) => part.type === 'tool' && !isProviders(part)).map(resultPart);
  return [
    ...(content.length > 0 ? [{ role: 'assistant', content }] : []),
    ...(results.length > 0 ? [{ role: 'tool', content: results }] : []),
  ];
}

/** The message with which the user, or opencode, asks for a compaction. */
export const isCompaction = ({ info, parts }: Entry): boolean =>
  info.role === 'user' && parts.some(({ type }) => type === 'compaction');

/** opencode keeps an answer that failed and sends it never again, but for what an aborted one has said or called. */
const isUnfinished = ({ info: { error }, parts }: Entry): boolean =>
  error !== undefined &&
  !(error.name === 'MessageAbortedError' && parts.some(({ type }) => !/^(step-start|reasoning)$/.test(type)));

/** Whether the provider ran the tool itself: its result is part of the answer. */
const isProviders = ({ metadata }: Part): boolean => metadata?.providerExecuted === true;

function userPart(part: Part): ModelPart | null {
  if (part.type === 'subtask') return { type: 'text', text: 'The following tool was executed by the user' };
  if (part.type === 'text') return part.text && !part.ignored ? { type: 'text', text: part.text } : null;
  // The text of these files is in a part beside them.
  const isText = part.mime === 'text/plain' || part.mime === 'application/x-directory';
  if (part.type !== 'file' || isText) return null;
  return part.mime!.startsWith('image/')
    ? { type: 'image', image: part.url, mediaType: part.mime }
    : { type: 'file', data: part.url, mediaType: part.mime, ...named(part.filename) };
}

const named = (filename: string | undefined): object => (filename === undefined ? {} : { filename });

function answerParts(part: Part): ModelPart[] {
  const { type, text, metadata, callID: toolCallId, tool: toolName, state } = part;
  if (type === 'text') return text ? [{ type, text }] : [];
  if (type === 'reasoning') return [{ type, text, ...(metadata ? { providerOptions: metadata } : {}) }];
  if (type !== 'tool') return [];
  const call = { type: 'tool-call', toolCallId, toolName, input: state!.input };
  return isProviders(part) ? [{ ...call, providerExecuted: true }, resultPart(part)] : [call];
}

const resultPart = ({ callID: toolCallId, tool: toolName, state }: Part): ModelPart => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: outputOf(state!),
});

/** opencode tells the model of a call without a result that it was interrupted. */
function outputOf({ status, output, error, metadata, attachments = [] }: ToolState): ModelPart {
  if (status === 'error' && metadata?.interrupted === true && typeof metadata.output === 'string')
    return { type: 'text', value: metadata.output };
  if (status === 'error') return { type: 'error-text', value: error };
  if (status !== 'completed') return { type: 'error-text', value: '[Tool execution was interrupted]' };
  if (attachments.length === 0) return { type: 'text', value: output };
  const media = attachments.map(({ mime, url }) => ({
    type: 'media',
    mediaType: mime,
    data: url.slice(url.indexOf(',') + 1),
  }));
  return { type: 'content', value: [{ type: 'text', text: output }, ...media] };
}

/**
 * Returns the messages of a context as opencode's. What the session has is the session's own message, so that nothing is
 * lost that opencode keeps in it for the provider: stubs, notes and summaries are new. `shown` has messages as opencode
 * would send them, which may have reminders that the session does not store.
 */
export function contextEntries(
  context: readonly object[],
  stored: readonly Entry[],
  shown: readonly Entry[],
): Entry[] {
  const messages = context as ModelMessage[];
  const owns = ownMessages(messages, pairsOf(stored, new Map(shown.map((entry) => [entry.info.id, entry]))));
  const results = new Map(
    messages
      .filter(({ role }) => role === 'tool')
      .flatMap(({ content }) => content as ModelPart[])
      .map((part) => [part.toolCallId as string, part.output as ModelPart]),
  );
  const infoOf = (role: Info['role']) => stored.findLast(({ info }) => info.role === role)?.info;
  return messages.flatMap((message, i): Entry[] => {
    const { role } = message;
    if (role === 'tool') return [];
    const own = owns[i];
    if (own) return [role === 'assistant' ? withContext(own, partsOf(message), results) : own];
    const id = `msg_spillway_${i + 1}`;
    const made = role === 'assistant' ? 'assistant' : 'user';
    const info: Info = { ...(infoOf(made) ?? stored.at(-1)!.info), id, role: made };
    // An answer that broke off is nobody's model for another one.
    delete info.error;
    return [{ info, parts: partsOf(message).flatMap((part, n) => madePart(part, n, info, results) ?? []) }];
  });
}

/** Each entry of the session as it is shown, with the first model message that it is. */
const pairsOf = (stored: readonly Entry[], shown: ReadonlyMap<string, Entry>): [ModelMessage, Entry][] =>
  stored.flatMap((entry): [ModelMessage, Entry][] => {
    const [first] = modelMessages(entry);
    return first && first.role !== 'tool' ? [[first, shown.get(entry.info.id) ?? entry]] : [];
  });

const partsOf = ({ content }: ModelMessage): ModelPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** An answer of the session with the results of the context, and without reasoning that its provider would refuse. */
function withContext(
  { info, parts }: Entry,
  context: readonly ModelPart[],
  results: ReadonlyMap<string, ModelPart>,
): Entry {
  const reasons = context.some(({ type }) => type === 'reasoning');
  return {
    info,
    parts: parts
      .filter(({ type }) => reasons || type !== 'reasoning')
      .map((part) => (part.type === 'tool' && !isProviders(part) ? withResult(part, results) : part)),
  };
}

function withResult(part: Part, results: ReadonlyMap<string, ModelPart>): Part {
  const output = results.get(part.callID!);
  if (!output) return part;
  const isSame = JSON.stringify(output) === JSON.stringify(outputOf(part.state!));
  // opencode would not send an output that it has cleared; the thread decides what the model sees.
  if (isSame && part.state!.time?.compacted === undefined) return part;
  return { ...part, state: stateOf(output, part.state!, isSame ? part.state!.attachments : []) };
}

function stateOf(output: ModelPart, { input, time, metadata }: ToolState, attachments: FilePart[] = []) {
  const { type, value } = output;
  const times = { start: time?.start ?? 0, end: time?.end ?? 0 };
  const text =
    type === 'content'
      ? (value as ModelPart[]).map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  const state: ToolState & { title?: string } = type.startsWith('error')
    ? { status: 'error', input, error: text, time: times }
    : {
        status: 'completed',
        input,
        output: text,
        title: '',
        metadata: metadata ?? {},
        time: times,
        attachments,
      };
  return state;
}

/** A part of a message that the session does not have, or has in another form. */
function madePart(
  part: ModelPart,
  n: number,
  info: Info,
  results: ReadonlyMap<string, ModelPart>,
): Part | null {
  const of = { id: `prt_spillway_${n}`, sessionID: info.sessionID, messageID: info.id };
  const { type } = part;
  if (type === 'tool-call') {
    const output = results.get(part.toolCallId as string);
    const input = part.input as Record<string, unknown>;
    const state: ToolState = output
      ? stateOf(output, { status: 'completed', input })
      : { status: 'pending', input };
    return { ...of, type: 'tool', callID: part.toolCallId as string, tool: part.toolName as string, state };
  }
  if (type === 'text') return { ...of, type, text: part.text as string };
  if (type === 'image' || type === 'file')
    return { ...of, type: 'file', mime: part.mediaType as string, url: String(part.image ?? part.data) };
  // Reasoning without the session's own message would have lost what its provider checks.
  return null;
}
