import type { LeftOut } from '../imported-session.js';
import { arrayOr, objectOr, textOrNull, type JsonObject } from '../sources/json-value.js';
import { toolName } from './tool-name.js';

/** A message of Anthropic's that a message of the export has become. */
export interface AnswerPart {
  role: 'user' | 'assistant';
  content: JsonObject[];
  /** Of its last block. */
  at: unknown;
}

interface OpenCall {
  id: string;
  name: unknown;
  isAnswered: boolean;
}

/** A text as a block. Providers refuse blocks without a visible character. */
export const textBlock = (text: unknown): JsonObject[] =>
  typeof text === 'string' && text.trim() !== '' ? [{ type: 'text', text }] : [];

/**
 * An answer as messages of Anthropic's: results are the user's, what the assistant says after them is another message.
 * A call has the id of the export. Exports without ids name it by the id of the message and the index of its block, and
 * then a result is that of the first open call of its tool.
 */
export function answerParts(uuid: string, message: JsonObject, leftOut: LeftOut): AnswerPart[] {
  const parts: AnswerPart[] = [];
  const calls: OpenCall[] = [];
  const say = (role: AnswerPart['role'], at: unknown, blocks: readonly JsonObject[]) => {
    if (blocks.length === 0) return;
    const last = parts.at(-1);
    if (last?.role !== role) return void parts.push({ role, content: [...blocks], at });
    last.content.push(...blocks);
    last.at = at;
  };
  for (const [i, each] of arrayOr(message.content).entries()) {
    const block = objectOr(each);
    const at = block.stop_timestamp ?? block.start_timestamp ?? null;
    if (block.type === 'text') say('assistant', at, textBlock(block.text));
    else if (block.type === 'tool_use') {
      const id = textOrNull(block.id) ?? `${uuid}-${i}`;
      calls.push({ id, name: block.name, isAnswered: false });
      const name = toolName(textOrNull(block.name) ?? 'tool');
      say('assistant', at, [{ type: 'tool_use', id, name, input: objectOr(block.input) }]);
    } else if (block.type === 'tool_result') {
      const result = resultBlock(block, calls, leftOut);
      say(result.type === 'text' ? 'assistant' : 'user', at, [result]);
    } else
      leftOut.add(block.type === 'thinking' ? 'blocks of reasoning' : `blocks of type ${String(block.type)}`);
  }
  if (parts.length === 0) say('assistant', null, textBlock(message.text));
  return parts;
}

/** A result without its call is a text of the assistant: as the user's words it would be taken for a request. */
function resultBlock(block: JsonObject, calls: readonly OpenCall[], leftOut: LeftOut): JsonObject {
  const own = textOrNull(block.tool_use_id);
  const call = calls.find(
    ({ id, name, isAnswered }) => !isAnswered && (own === null ? name === block.name : id === own),
  );
  const content =
    typeof block.content === 'string'
      ? textBlock(block.content)
      : arrayOr(block.content).flatMap((part) => resultPart(objectOr(part), leftOut));
  if (!call) {
    const texts = content.map(({ text }) => String(text));
    return { type: 'text', text: [`Output of ${textOrNull(block.name) ?? 'a tool'}:`, ...texts].join('\n') };
  }
  call.isAnswered = true;
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content,
    ...(block.is_error === true ? { is_error: true } : {}),
  };
}

/** A page that was found has its title and address beside its text. Pictures are there by name alone. */
function resultPart(part: JsonObject, leftOut: LeftOut): JsonObject[] {
  if (part.type === 'image' || part.type === 'local_resource') {
    leftOut.add('files by name');
    const name = textOrNull(part.file_name) ?? textOrNull(part.name) ?? textOrNull(part.file_path);
    return textBlock(
      `[${part.type === 'image' ? 'image' : 'file'}: ${name ?? textOrNull(part.file_uuid) ?? 'without a name'}]`,
    );
  }
  const texts = [part.title, part.url, part.text].flatMap((text) => textOrNull(text) ?? []);
  if (texts.length > 0) return textBlock(texts.join('\n'));
  leftOut.add(`blocks of type ${String(part.type)}`);
  return [];
}
