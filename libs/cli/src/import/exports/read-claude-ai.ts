import { LeftOut, type ReadMessage, type ReadSession } from '../imported-session.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from '../sources/json-value.js';
import { idFromSource } from '../sources/message-id.js';
import { answerParts, textBlock } from './claude-ai-blocks.js';
import { refuseConversation, type Conversation } from './conversation.js';
import { pathTo } from './message-tree.js';

/*
 * The data export of claude.ai, `conversations.json`. There is no public schema. A conversation is a list of messages,
 * `chat_messages`; newer exports say which message each one follows, and then it is a tree. An answer has the calls of
 * the assistant and their results in one message.
 */

export const isClaudeAi = (value: JsonObject): boolean => Array.isArray(value.chat_messages);

export function readClaudeAi(conversation: Conversation): ReadSession {
  const { value, line } = conversation;
  const sessionId =
    textOrNull(value.uuid) ?? refuseConversation(conversation, null, 'The conversation has no uuid.');
  const nodes = new Map(
    arrayOr(value.chat_messages).map((each): [string, JsonObject] => {
      const message = objectOr(each);
      const uuid =
        textOrNull(message.uuid) ?? refuseConversation(conversation, sessionId, 'A message has no uuid.');
      return [uuid, message];
    }),
  );
  const leftOut = new LeftOut();
  const path = branchOf(value, nodes);
  leftOut.add('messages of other branches', nodes.size - path.length);
  const messages = path.flatMap((uuid): ReadMessage[] => {
    const message = nodes.get(uuid)!;
    const { sender } = message;
    if (sender !== 'human' && sender !== 'assistant')
      return refuseConversation(
        conversation,
        sessionId,
        `The sender is ${JSON.stringify(sender)}. It must be human or assistant.`,
      );
    const parts = sender === 'human' ? userParts(message, leftOut) : answerParts(uuid, message, leftOut);
    if (parts.length === 0) leftOut.add('messages without text');
    return parts.map(({ at, ...part }, i) => ({
      id: partId(uuid, i),
      message: part,
      line,
      at: at ?? message.created_at,
    }));
  });
  return {
    format: 'anthropic',
    sessionId,
    title: textOrNull(value.name),
    model: textOrNull(value.model),
    system: null,
    messages,
    otherIds: new Set([...nodes].flatMap(([uuid, message]) => possibleIds(uuid, message))),
    leftOut,
  };
}

/** An answer with results is several messages; the first one has the id of the answer. */
const partId = (uuid: string, index: number): string =>
  idFromSource(index === 0 ? uuid : `${uuid}.${index + 1}`);

/** An answer has at most one message for each of its blocks. */
const possibleIds = (uuid: string, { content }: JsonObject): string[] =>
  Array.from({ length: Math.max(1, arrayOr(content).length) }, (_, i) => partId(uuid, i));

/** All messages of an export that is a list, and of one that is a tree those up to the leaf. */
function branchOf(value: JsonObject, nodes: ReadonlyMap<string, JsonObject>): string[] {
  const all = [...nodes.keys()];
  if (all.every((uuid) => textOrNull(nodes.get(uuid)!.parent_message_uuid) === null)) return all;
  const current = textOrNull(value.current_leaf_message_uuid);
  const leaf = current !== null && nodes.has(current) ? current : all.at(-1)!;
  return pathTo(leaf, nodes, ({ parent_message_uuid: parent }) => parent);
}

function userParts(
  message: JsonObject,
  leftOut: LeftOut,
): { role: 'user'; content: JsonObject[]; at: unknown }[] {
  const blocks = arrayOr(message.content).map(objectOr);
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return textBlock(block.text);
    leftOut.add(`blocks of type ${String(block.type)}`);
    return [];
  });
  const content = [
    ...(texts.length > 0 ? texts : textBlock(message.text)),
    ...arrayOr(message.attachments).flatMap((each) => attachmentBlock(objectOr(each), leftOut)),
    ...arrayOr(message.files).flatMap((each) => fileBlock(each, leftOut)),
  ];
  return content.length === 0 ? [] : [{ role: 'user', content, at: null }];
}

/** The text of an attachment was sent to the model. */
function attachmentBlock(attachment: JsonObject, leftOut: LeftOut): JsonObject[] {
  const text = textOrNull(attachment.extracted_content);
  if (text === null) return fileBlock(attachment, leftOut);
  return textBlock(`[file: ${textOrNull(attachment.file_name) ?? 'without a name'}]\n${text}`);
}

function fileBlock(file: unknown, leftOut: LeftOut): JsonObject[] {
  const { file_kind: kind, file_name: name } = objectOr(file);
  if (!isObject(file) || textOrNull(name) === null) return [];
  leftOut.add('files by name');
  return textBlock(`[${kind === 'image' ? 'image' : 'file'}: ${String(name)}]`);
}
