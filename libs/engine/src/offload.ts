import type { Policy } from './policy.js';
import { textOfParts, type ResultPart } from './message.js';

/**
 * Does this tool result leave the context? By tokens (AgentScope's tool_result_limit) or by characters (Dawn's
 * offloadThresholdChars); never for exempt tools, which are the ones that read offloaded outputs back.
 */
export function shouldOffload(
  result: ResultPart,
  tokens: number,
  toolName: string | null,
  policy: Policy['outputs'],
): boolean {
  const text = textOfParts(result.parts);
  const tool = result.name ?? toolName;
  if (text === '' || (tool !== null && policy.exempt_tools.includes(tool))) return false;
  if (policy.threshold_chars !== null) return text.length > policy.threshold_chars;
  return tokens > policy.limit_tokens;
}
