import type { JsonMessage } from './api.js';

export type WireFormat = 'openai' | 'responses' | 'anthropic' | 'ai-sdk';

/** A message as its provider's rules see it: who speaks, what it calls, what it answers. */
interface Turn {
  by: 'caller' | 'model';
  calls: string[];
  answers: string[];
  /** Has something beside results. */
  speaks: boolean;
}

/**
 * What a provider refuses with 400, checked apart from the engine: a result must answer a call of the step before
 * it, once, and all calls must be answered before anyone else speaks, except at the very end. Gives what is wrong,
 * or null.
 */
export function providerComplaint(
  messages: readonly JsonMessage[],
  format: WireFormat = 'openai',
): string | null {
  if (format === 'anthropic' && messages[0]?.role === 'assistant') return 'message 0 is not the user';
  const open = new Set<string>();
  let callsEnd = true;
  for (const [i, message] of messages.entries()) {
    const turn = turnOf(message, format);
    if (
      turn.answers.length === 0 &&
      open.size > 0 &&
      !(format === 'responses' && !callsEnd && turn.by === 'model')
    )
      return `calls before message ${i} have no result`;
    for (const id of turn.answers) if (!open.delete(id)) return `message ${i} answers no call ${id}`;
    if (turn.answers.length > 0 && turn.speaks && open.size > 0)
      return `message ${i} speaks before all calls have results`;
    callsEnd = turn.by === 'caller';
    for (const id of turn.calls) open.add(id);
    const empty = emptiness(message, format);
    if (empty) return `message ${i} ${empty}`;
  }
  return null;
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
      const isResult = kind.endsWith('_output');
      const calls = kind.endsWith('_call') && typeof message.call_id === 'string' ? [message.call_id] : [];
      const answers = isResult && typeof message.call_id === 'string' ? [message.call_id] : [];
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

/** Anthropic refuses empty messages and empty text blocks, roles it does not know, and results after text. */
function emptiness(message: JsonMessage, format: WireFormat): string | null {
  if (format !== 'anthropic') return null;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return `has the role ${String(role)}`;
  const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as JsonMessage[];
  if (blocks.length === 0) return 'is empty';
  if (blocks.some((block) => block.type === 'text' && String(block.text).trim() === ''))
    return 'has an empty text';
  const firstOther = blocks.findIndex((block) => block.type !== 'tool_result');
  const late = blocks.findLastIndex((block) => block.type === 'tool_result');
  return role === 'user' && firstOther >= 0 && late > firstOther ? 'has a result after other content' : null;
}
