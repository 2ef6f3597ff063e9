import type { Policy } from '../policy/policy.js';
import { readerToolNamed, readerToolNames } from '../reader-tools/reader-tool-names.js';
import { textOfParts, type ResultPart } from '../messages/message.js';

export interface OffloadInput {
  /** Tokens of the result's text. */
  tokens: number;
  /** The tool that was called; null when it is unknown, or the result says it itself. */
  toolName: string | null;
  policy: Policy['outputs'];
  /** The limit of the thread's budget. */
  contextLimit: number;
}

/**
 * Whether this tool result is offloaded: by tokens (AgentScope's tool_result_limit) or by characters (Dawn's
 * offloadThresholdChars). Exempt tools read files and offloaded outputs back: their results stay up to a larger bound,
 * so that one result never fills the window.
 */
export function shouldOffload(
  result: ResultPart,
  { tokens, toolName, policy, contextLimit }: OffloadInput,
): boolean {
  const text = textOfParts(result.parts);
  const tool = result.name ?? toolName;
  if (text === '') return false;
  const isReader = tool !== null && readerToolNamed(readerToolNames(policy.tool_names), tool) !== undefined;
  const isExempt = isReader || (tool !== null && policy.exempt_tools.includes(tool));
  if (isExempt && tokens <= maxExemptTokens(policy.threshold_tokens, contextLimit)) return false;
  if (policy.threshold_chars !== null) return text.length > policy.threshold_chars;
  return tokens > policy.threshold_tokens;
}

/** Four times the threshold, at most a quarter of the context limit, and never less than the threshold. */
const maxExemptTokens = (threshold: number, contextLimit: number): number =>
  Math.max(threshold, Math.min(4 * threshold, Math.floor(contextLimit / 4)));
