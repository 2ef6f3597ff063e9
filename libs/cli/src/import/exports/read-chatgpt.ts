import { LeftOut, type ReadMessage, type ReadSession } from '../imported-session.js';
import { isObject, objectOr, textOrNull, type JsonObject } from '../sources/json-value.js';
import { idFromSource } from '../sources/message-id.js';
import { callText, chatgptText } from './chatgpt-text.js';
import { refuseConversation, type Conversation } from './conversation.js';
import { pathTo } from './message-tree.js';
import { toolName } from './tool-name.js';

/*
 * ChatGPT's data export, `conversations.json`. There is no public schema. A conversation is a tree of nodes, `mapping`,
 * and `current_node` is the leaf that its user saw last. A call of a tool is a message of the assistant whose
 * `recipient` is the tool, and what the tool said follows it. Calls have no ids, so a call is named by the id of its
 * message, and the results by their place in the tree.
 */

export const isChatgpt = (value: JsonObject): boolean => isObject(value.mapping);

export function readChatgpt(conversation: Conversation): ReadSession {
  const { value, line } = conversation;
  const nodes = new Map(Object.entries(objectOr(value.mapping)).map(([id, node]) => [id, objectOr(node)]));
  const path = pathTo(leafOf(value, nodes), nodes, ({ parent }) => parent);
  const sessionId = textOrNull(value.conversation_id) ?? textOrNull(value.id) ?? rootId(path);
  if (sessionId === null)
    return refuseConversation(conversation, null, 'The conversation has no id and no node that names it.');
  const leftOut = new LeftOut();
  const reader = new BranchReader(line, leftOut);
  let model: string | null = null;
  for (const id of path) {
    const { message } = nodes.get(id)!;
    if (!isObject(message)) continue;
    model = textOrNull(objectOr(message.metadata).model_slug) ?? model;
    reader.read(idOf(id, message), message);
  }
  const on = new Set(path);
  for (const [id, { message }] of nodes)
    if (!on.has(id) && isObject(message)) leftOut.add('messages of other branches');
  return {
    format: 'openai',
    sessionId,
    title: textOrNull(value.title),
    model: model ?? textOrNull(value.default_model_slug),
    system: null,
    messages: reader.messages,
    otherIds: new Set([...nodes].map(([id, { message }]) => idOf(id, objectOr(message)))),
    leftOut,
  };
}

const idOf = (node: string, { id }: JsonObject): string => idFromSource(textOrNull(id) ?? node);

/** The exports of 2023 have no ids of conversations. The root of a tree stays when the conversation goes on. */
const rootId = ([root]: readonly string[]): string | null =>
  root === undefined || root === 'client-created-root' ? null : root;

/** The leaf that the user saw last. Without it the newest one. */
function leafOf({ current_node: current }: JsonObject, nodes: ReadonlyMap<string, JsonObject>): string {
  if (typeof current === 'string' && nodes.has(current)) return current;
  const parents = new Set([...nodes.values()].map(({ parent }) => parent));
  const timeOf = (node: JsonObject): number => {
    const time = objectOr(node.message).create_time;
    return typeof time === 'number' ? time : 0;
  };
  const leaves = [...nodes].filter(([id]) => !parents.has(id));
  return leaves.sort(([, a], [, b]) => timeOf(a) - timeOf(b)).at(-1)?.[0] ?? '';
}

interface OpenCall {
  id: string;
  tool: string;
  isAnswered: boolean;
}

/** Reads the messages of a branch in order. */
class BranchReader {
  readonly messages: ReadMessage[] = [];
  /** Calls since the last message that is neither a call nor a result. */
  private calls: OpenCall[] = [];
  /** The tool whose result is the last message. */
  private answering: string | null = null;

  constructor(
    private readonly line: number,
    private readonly leftOut: LeftOut,
  ) {}

  read(id: string, message: JsonObject): void {
    const { role, name } = objectOr(message.author);
    const recipient = textOrNull(message.recipient) ?? 'all';
    if (role === 'assistant' && recipient !== 'all' && recipient !== 'assistant')
      return this.call(id, recipient, message);
    if (!['user', 'assistant', 'tool', 'system', 'developer'].includes(String(role)))
      return this.leftOut.add(`messages of the role ${String(role)}`);
    const text = chatgptText(message, this.leftOut);
    if (text === '') return;
    if (role === 'tool') return this.result(id, textOrNull(name) ?? 'tool', text, message);
    this.calls = [];
    this.answering = null;
    this.add(id, message, { role: roleOf(String(role), message), content: text });
  }

  /** Arguments in JSON are those of a function; other text, such as code, is the input of a custom tool. */
  private call(id: string, tool: string, message: JsonObject): void {
    const text = callText(message);
    const name = toolName(tool);
    const call = isJsonObject(text)
      ? { id, type: 'function', function: { name, arguments: text } }
      : { id, type: 'custom', custom: { name, input: text } };
    this.calls.push({ id, tool, isAnswered: false });
    this.answering = null;
    this.add(id, message, { role: 'assistant', content: null, tool_calls: [call] });
  }

  /** A tool may say several messages; a call has one result. */
  private result(id: string, tool: string, text: string, message: JsonObject): void {
    const open = this.calls.filter(({ isAnswered }) => !isAnswered);
    const call = open.find((one) => isSameTool(one.tool, tool));
    if (!call && this.answering !== null && isSameTool(this.answering, tool))
      return this.more(id, text, message);
    const answered = call ?? open[0];
    if (!answered && this.answering !== null) return this.more(id, text, message);
    // Tools also speak without a call, for example of a file of the user. No provider takes a result without a call, and
    // as the user's words its text would be taken for a request.
    if (!answered)
      return this.add(id, message, { role: 'assistant', content: `Output of ${tool}:\n${text}` });
    answered.isAnswered = true;
    this.answering = tool;
    this.add(id, message, { role: 'tool', tool_call_id: answered.id, content: text });
  }

  /** The id is that of the last part: a result that grew since the last import is another message. */
  private more(id: string, text: string, message: JsonObject): void {
    const last = this.messages.pop()!;
    this.add(id, message, { ...last.message, content: `${String(last.message.content)}\n${text}` });
  }

  private add(id: string, { create_time: at }: JsonObject, message: JsonObject): void {
    this.messages.push({ id, message, line: this.line, at });
  }
}

/** What the user or the product has set for all conversations comes as a message of either. */
const roleOf = (role: string, { content }: JsonObject): string =>
  /_editable_context$/.test(String(objectOr(content).content_type)) || role === 'developer' ? 'system' : role;

/** `browser.search` and `browser` are one tool. */
const isSameTool = (one: string, other: string): boolean => one.split('.')[0] === other.split('.')[0];

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    // Code and queries are no JSON.
    return false;
  }
}
