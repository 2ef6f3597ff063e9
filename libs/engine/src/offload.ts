import type { Policy } from './policy.js';
import type { Message } from './message.js';

/**
 * Does this tool result leave the context? By tokens (AgentScope's tool_result_limit) or by characters (Dawn's
 * offloadThresholdChars); never for exempt tools, which are the ones that read offloaded outputs back.
 */
export function shouldOffload(
  message: Message,
  tokens: number,
  toolName: string | null,
  policy: Policy['outputs'],
): boolean {
  if (message.role !== 'tool' || message.text === '') return false;
  const tool = message.name ?? toolName;
  if (tool !== null && policy.exempt_tools.includes(tool)) return false;
  if (policy.threshold_chars !== null) return message.text.length > policy.threshold_chars;
  return tokens > policy.limit_tokens;
}
