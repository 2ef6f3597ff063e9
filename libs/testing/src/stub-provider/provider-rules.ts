import type { JsonMessage } from '../http/api.js';
import { checkSigned } from './signed-reasoning.js';

export type WireFormat = 'openai' | 'responses' | 'anthropic' | 'ai-sdk';

/** A message as its provider's rules see it: who speaks, what it calls, what it answers. */
interface Turn {
  by: 'caller' | 'model';
  calls: string[];
  answers: string[];
  /** Has something beside results. */
  speaks: boolean;
}

/** A request as far as the rules of providers look at it. */
export interface ProviderRequest {
  messages: readonly JsonMessage[];
  /** The system prompt and tools, which signatures of reasoning are about too. */
  system?: unknown;
  tools?: unknown;
  /** With a model, signed reasoning is checked: it must be of this model, for what stands before it. */
  model?: string;
  /** Thinking is on: the tool loop that is in progress must begin with it. */
  thinking?: boolean;
  /** Strict chat templates want user and assistant to alternate. */
  alternating?: boolean;
}

/**
 * Says why a provider would answer a request with 400, or null. It is written apart from the engine, from what the
 * providers document. A stub provider can answer with it.
 */
export function checkRequest(format: WireFormat, request: ProviderRequest): string | null {
  const { messages, model, thinking = false, alternating = false } = request;
  return (
    providerComplaint(messages, format) ??
    (format === 'anthropic' ? tooManyMarks([request.system, request.tools, messages]) : null) ??
    (model === undefined ? null : checkSigned(model, request)) ??
    (format === 'anthropic' && model !== undefined ? systemForOldModel(model, messages) : null) ??
    (thinking ? unledToolLoop(messages) : null) ??
    (alternating ? twoUsersInARow(messages, format) : null)
  );
}

/**
 * What a provider refuses with 400 whatever is asked of it: a result must answer a call of the step before it, once,
 * all calls must be answered before anyone else speaks, except at the very end, and no two calls have one id. In the
 * Responses API each type of call has its type of result. Returns what is wrong, or null.
 */
export function providerComplaint(
  messages: readonly JsonMessage[],
  format: WireFormat = 'openai',
): string | null {
  if (format === 'anthropic' && messages[0]?.role === 'assistant') return 'message 0 is not the user';
  const open = new Set<string>();
  const made = new Set<string>();
  const begun = new Set<unknown>();
  const types = new Map<string, string>();
  let callsEnd = true;
  for (const [i, message] of messages.entries()) {
    const turn = turnOf(message, format);
    // The AI SDK takes an approval out before it calls a model.
    if (format === 'ai-sdk' && message.role === 'tool' && turn.answers.length === 0) continue;
    if (
      turn.answers.length === 0 &&
      open.size > 0 &&
      !(format === 'responses' && !callsEnd && turn.by === 'model')
    )
      return `calls before message ${i} have no result`;
    for (const id of turn.answers) if (!open.delete(id)) return `message ${i} answers no call ${id}`;
    if (format === 'responses')
      for (const called of turn.answers.map((id) => types.get(id)!))
        if (message.type !== `${called}_output`)
          return `message ${i} is a ${String(message.type)} and answers a ${called}`;
    if (turn.answers.length > 0 && turn.speaks && open.size > 0)
      return `message ${i} speaks before all calls have results`;
    callsEnd = turn.by === 'caller';
    for (const id of turn.calls) {
      // Servers of OpenAI's chat format begin anew with call_0 in each turn, and take that back.
      if (format === 'openai' ? open.has(id) : made.has(id)) return `message ${i} repeats the call id ${id}`;
      made.add(id);
      open.add(id);
      types.set(id, String(message.type));
    }
    if (format === 'anthropic') {
      const ended = unbegun(message, begun);
      if (ended !== undefined)
        return `message ${i} has the result of a call that the provider did not begin: ${ended}`;
    }
    const malformed = faultOf[format](message, messages[i + 1]);
    if (malformed) return `message ${i} ${malformed}`;
    if (format === 'anthropic' && message.role === 'system' && !isSystemPlace(messages, i))
      return `message ${i} is a system message that does not stand between the user and the assistant`;
  }
  return format === 'anthropic' ? tooManyMarks(messages) : null;
}

/** Anthropic: a request has at most four marks of the prefix to cache, in its system prompt, tools and messages. */
function tooManyMarks(request: unknown): string | null {
  const marks = JSON.stringify(request).split('"cache_control":{').length - 1;
  return marks <= 4 ? null : `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
}

/** Anthropic: the result of a tool that it runs itself has its call before it, in this message or an earlier one. */
function unbegun({ content }: JsonMessage, begun: Set<unknown>): string | undefined {
  for (const block of Array.isArray(content) ? (content as JsonMessage[]) : []) {
    const type = String(block.type);
    if (type.endsWith('_tool_use')) begun.add(block.id);
    if (type.endsWith('_tool_result') && !begun.has(block.tool_use_id)) return String(block.tool_use_id);
  }
  return undefined;
}

/** Anthropic: a system message follows the user's turn directly, and is the last one or before the assistant's turn. */
const isSystemPlace = (messages: readonly JsonMessage[], at: number): boolean =>
  messages[at - 1]?.role === 'user' && (messages[at + 1]?.role ?? 'assistant') === 'assistant';

/** Anthropic: Claude accepts system messages from Opus 4.8 on. */
function systemForOldModel(model: string, messages: readonly JsonMessage[]): string | null {
  const isOld = /^claude-(3|haiku-4|sonnet-4|opus-4(-[0-7])?(-\d{8})?$)/.test(model);
  const at = isOld ? messages.findIndex(({ role }) => role === 'system') : -1;
  return at < 0 ? null : `message ${at} is a system message, which ${model} does not accept`;
}

/** Anthropic: with thinking on, the assistant's last turn before tool results begins with a thinking block. */
function unledToolLoop(messages: readonly JsonMessage[]): string | null {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const last = messages.at(-1);
  if (at < 0 || last === messages[at] || turnOf(last!, 'anthropic').answers.length === 0) return null;
  const [first] = messages[at]!.content as JsonMessage[];
  const leads = first?.type === 'thinking' || first?.type === 'redacted_thinking';
  return leads ? null : `message ${at} does not begin with thinking`;
}

function twoUsersInARow(messages: readonly JsonMessage[], format: WireFormat): string | null {
  const speaks = (message: JsonMessage | undefined) =>
    message?.role === 'user' && turnOf(message, format).answers.length === 0;
  const at = messages.findIndex((message, i) => speaks(message) && speaks(messages[i - 1]));
  return at < 0 ? null : `messages ${at - 1} and ${at} are both the user's`;
}

function turnOf(message: JsonMessage, format: WireFormat): Turn {
  const { role, content, type } = message;
  const blocks = Array.isArray(content) ? (content as JsonMessage[]) : [];
  const ids = (kind: string, key: string) =>
    blocks.filter((block) => block.type === kind).map((block) => String(block[key]));
  switch (format) {
    case 'openai': {
      const calls = ((message.tool_calls ?? []) as { id: string }[]).map((call) => call.id);
      const answers = role === 'tool' ? [String(message.tool_call_id)] : [];
      return { by: role === 'assistant' ? 'model' : 'caller', calls, answers, speaks: role !== 'tool' };
    }
    case 'responses': {
      const kind = typeof type === 'string' ? type : 'message';
      // A program's output and a search for tools are OpenAI's own.
      // OpenAI's types name the call of a local shell in the id of its output.
      const answered = message.call_id ?? (kind === 'local_shell_call_output' ? message.id : undefined);
      const isResult = kind.endsWith('_output') && kind !== 'program_output' && typeof answered === 'string';
      const calls = kind.endsWith('_call') && typeof message.call_id === 'string' ? [message.call_id] : [];
      const answers = isResult ? [answered] : [];
      const byCaller = isResult || (kind === 'message' && role !== 'assistant');
      return { by: byCaller ? 'caller' : 'model', calls, answers, speaks: !isResult };
    }
    case 'anthropic': {
      const answers = ids('tool_result', 'tool_use_id');
      const speaks = typeof content === 'string' || blocks.some((block) => block.type !== 'tool_result');
      return { by: role === 'assistant' ? 'model' : 'caller', calls: ids('tool_use', 'id'), answers, speaks };
    }
    case 'ai-sdk': {
      const calls = blocks
        .filter((block) => block.type === 'tool-call' && block.providerExecuted !== true)
        .map((block) => String(block.toolCallId));
      const answers = role === 'tool' ? ids('tool-result', 'toolCallId') : [];
      return { by: role === 'assistant' ? 'model' : 'caller', calls, answers, speaks: role !== 'tool' };
    }
  }
}

const partsOf = (content: unknown): JsonMessage[] =>
  Array.isArray(content) ? (content as JsonMessage[]) : [];

const isEmpty = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  content === '' ||
  (Array.isArray(content) && content.length === 0);

/** What is wrong with one message in itself, or with what follows it; null when nothing is. */
const faultOf: Record<WireFormat, (message: JsonMessage, next: JsonMessage | undefined) => string | null> = {
  openai: ({ role, content, tool_calls: calls, refusal }) => {
    if (Array.isArray(calls) && calls.length === 0) return 'has an empty list of tool calls';
    if (Array.isArray(content) && content.length === 0) return 'has an empty list as content';
    if (role === 'assistant' && isEmpty(content) && !calls && !refusal) return 'has no content and no calls';
    const files = partsOf(content).flatMap(({ file }) => (file as JsonMessage | undefined) ?? []);
    if (files.some((file) => 'file_data' in file && !('filename' in file)))
      return 'has file_data without a filename';
    return role !== 'assistant' && (content === null || content === undefined) ? 'has no content' : null;
  },
  responses: (item, next) => {
    const isMessage = item.type === undefined || item.type === 'message';
    if (isMessage && (item.content === undefined || item.content === null)) return 'has no content';
    if (isMessage && Array.isArray(item.content) && item.content.length === 0) return 'has empty content';
    const files = partsOf(item.content ?? item.output).filter((part) => part.type === 'input_file');
    // "Mutually exclusive parameters", or "Missing required parameter".
    if (files.some((file) => 'file_data' in file !== 'filename' in file))
      return 'has file_data without a filename, or a filename without file_data';
    const prefix = isMessage ? 'msg' : item.type === 'function_call' ? 'fc' : '';
    if (typeof item.id === 'string' && !item.id.startsWith(prefix))
      return `has an id that does not begin with ${prefix}`;
    const isFollowed = next !== undefined && turnOf(next, 'responses').by === 'model';
    return item.type === 'reasoning' && !isFollowed ? 'is reasoning without the item that follows it' : null;
  },
  anthropic: anthropicFault,
  'ai-sdk': ({ role, content }) => {
    if ((role === 'user' || role === 'assistant') && isEmpty(content)) return 'is empty';
    // Since version 7, unless the caller allows them.
    if (role === 'system') return 'is a system message, which stands beside the messages';
    const approves = (part: JsonMessage) => part.type === 'tool-approval-response';
    const isMisplaced =
      role !== 'tool' && Array.isArray(content) && (content as JsonMessage[]).some(approves);
    return isMisplaced ? 'has an approval outside of the results' : null;
  },
};

/**
 * Anthropic refuses empty messages, texts and errors, unknown roles, malformed ids, answers that end in thinking, and
 * results after text.
 */
function anthropicFault({ role, content }: JsonMessage): string | null {
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return `has the role ${String(role)}`;
  const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as JsonMessage[];
  if (blocks.length === 0) return 'is empty';
  const texts = blocks.flatMap((block) =>
    block.type === 'tool_result' && Array.isArray(block.content) ? (block.content as JsonMessage[]) : [block],
  );
  if (texts.some((block) => block.type === 'text' && String(block.text).trim() === ''))
    return 'has an empty text';
  const last = blocks.at(-1)!.type;
  if (role === 'assistant' && (last === 'thinking' || last === 'redacted_thinking'))
    return 'ends in thinking';
  const ids = blocks.flatMap(({ type, id, tool_use_id: resultId }) =>
    type === 'tool_use' ? [id] : type === 'tool_result' ? [resultId] : [],
  );
  const malformed = ids.map(String).find((id) => !/^[a-zA-Z0-9_-]+$/.test(id));
  if (malformed !== undefined) return `has the malformed id ${malformed}`;
  const isSilentError = ({ type, is_error: isError, content: text }: JsonMessage) =>
    type === 'tool_result' && isError === true && isEmpty(text);
  if (blocks.some(isSilentError)) return 'has an error without content';
  const firstOther = blocks.findIndex((block) => block.type !== 'tool_result');
  const late = blocks.findLastIndex((block) => block.type === 'tool_result');
  return role === 'user' && firstOther >= 0 && late > firstOther ? 'has a result after other content' : null;
}
