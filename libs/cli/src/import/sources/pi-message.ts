import type { LeftOut } from '../imported-session.js';
import { arrayOr, objectOr, textOrNull, type JsonObject } from './json-value.js';
import { refuse } from './source-file.js';

const userMessage = (content: unknown) => ({ role: 'user', content });

/** An entry of pi as a message of Anthropic's, or null when it is none; that is counted. */
export function piMessage(
  entry: JsonObject,
  leftOut: LeftOut,
  place: { name: string; line: number },
): JsonObject | null {
  if (entry.type === 'custom_message') return userMessage(contentOf(entry.content));
  // What a branch that was left had done: the model was sent it.
  if (entry.type === 'branch_summary') return userMessage(String(entry.summary));
  if (entry.type !== 'message') {
    leftOut.add(entry.type === 'compaction' ? 'compactions' : `entries of type ${String(entry.type)}`);
    return null;
  }
  const message = objectOr(entry.message);
  switch (message.role) {
    case 'user':
    case 'custom':
      return userMessage(contentOf(message.content));
    case 'assistant':
      return assistantMessage(message, leftOut);
    case 'toolResult':
      return userMessage([
        {
          type: 'tool_result',
          tool_use_id: message.toolCallId,
          content: contentOf(message.content),
          ...(message.isError === true ? { is_error: true } : {}),
        },
      ]);
    case 'bashExecution':
      if (message.excludeFromContext !== true)
        return userMessage(`Ran \`${String(message.command)}\`\n\`\`\`\n${String(message.output)}\n\`\`\``);
      leftOut.add('commands that the model was not shown');
      return null;
    case 'branchSummary':
      return userMessage(String(message.summary));
    case 'compactionSummary':
      leftOut.add('summaries of compactions');
      return null;
    default:
      return refuse(
        place.name,
        place.line,
        `The role is ${JSON.stringify(message.role)}, which pi does not document.`,
      );
  }
}

const contentOf = (content: unknown): unknown =>
  typeof content === 'string' ? content : arrayOr(content).map((block) => blockOf(objectOr(block)));

const blockOf = (block: JsonObject): JsonObject =>
  block.type === 'image'
    ? { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
    : { type: 'text', text: block.text };

function assistantMessage({ api, content }: JsonObject, leftOut: LeftOut): JsonObject | null {
  const blocks = arrayOr(content).flatMap((part): JsonObject[] => {
    const block = objectOr(part);
    if (block.type === 'toolCall')
      return [{ type: 'tool_use', id: block.id, name: block.name, input: objectOr(block.arguments) }];
    if (block.type !== 'thinking') return [blockOf(block)];
    const signature = textOrNull(block.thinkingSignature);
    // A signature is valid for the provider that made it alone.
    if (api === 'anthropic-messages' && signature !== null)
      return block.redacted === true
        ? [{ type: 'redacted_thinking', data: signature }]
        : [{ type: 'thinking', thinking: block.thinking, signature }];
    leftOut.add('blocks of reasoning without a signature of Anthropic');
    return [];
  });
  if (blocks.length > 0) return { role: 'assistant', content: blocks };
  leftOut.add('empty answers');
  return null;
}
