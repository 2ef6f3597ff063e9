import { createHmac } from 'node:crypto';
import type { ReadRequest } from './wire-api.js';

/**
 * What a provider demands of thinking blocks that come back. `bound`: a signature holds only behind the very system,
 * tools and messages that its model was sent, as with Claude from Fable 5.1 on. `leading`: the block itself must be
 * unchanged, and while thinking is on an assistant message that calls tools must start with one, as with Claude
 * before that.
 */
export type ThinkingRule = 'bound' | 'leading';

interface Block {
  type: string;
  thinking?: string;
  signature?: string;
}

type Prefix = Pick<ReadRequest, 'system' | 'tools' | 'messages'>;

const blocksOf = (content: unknown): Block[] => (Array.isArray(content) ? (content as Block[]) : []);

/** Signs a thinking block for what its model was sent. */
export const signThinking = (text: string, prefix: Prefix, rule: ThinkingRule): string =>
  createHmac('sha256', 'stub provider')
    .update(JSON.stringify(rule === 'bound' ? [text, prefix.system, prefix.tools, prefix.messages] : [text]))
    .digest('base64');

/** Says what the provider refuses about the thinking blocks of a request; null when it takes them. */
export function thinkingComplaint(request: ReadRequest, rule: ThinkingRule): string | null {
  const { messages, thinking } = request;
  for (const [i, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue;
    for (const [n, block] of blocksOf(content).entries()) {
      const prefix = { ...request, messages: messages.slice(0, i) };
      if (block.type === 'thinking' && block.signature !== signThinking(block.thinking ?? '', prefix, rule))
        return `messages.${i}.content.${n}: Invalid \`signature\` in \`thinking\` block`;
    }
  }
  if (!thinking || rule === 'bound') return null;
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const blocks = blocksOf(messages[last]?.content);
  const found = blocks[0]?.type;
  return blocks.some(({ type }) => type === 'tool_use') && found !== 'thinking'
    ? `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\``
    : null;
}
