import { ownMessages } from '@spillway/client/agent';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from 'langchain';
import { blockOf, isReasoning, partsOf, resultOf, textOfResult, type Part } from './parts.js';

interface ModelMessage {
  role: string;
  content: string | Part[];
}

/** Returns a message of LangChain as a model message of the AI SDK, which has a part for everything in it. */
export function modelMessage(message: BaseMessage): ModelMessage {
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
      type: 'tool-call',
      toolCallId: callIdOf(id, name),
      toolName: name,
      input: args,
    }));
    return { role: 'assistant', content: [...partsOf(message.content), ...calls] };
  }
  if (ToolMessage.isInstance(message)) {
    const { name: toolName = 'tool', status, content } = message;
    const output = resultOf(content, status === 'error');
    const result = { type: 'tool-result', toolCallId: resultIdOf(message), toolName, output };
    return { role: 'tool', content: [result] };
  }
  if (message.type === 'system') return { role: 'system', content: message.text };
  return {
    role: 'user',
    content: typeof message.content === 'string' ? message.content : partsOf(message.content),
  };
}

/** Some models give calls no id. Their calls and results are named after the tool: the service requires an id. */
const callIdOf = (id: string | undefined, toolName: string): string => id || toolName;

const resultIdOf = ({ tool_call_id: id, name = 'tool' }: ToolMessage): string => callIdOf(id, name);

/**
 * Returns the messages of a context as LangChain's. What the caller has is returned as the caller's own object, so that
 * nothing is lost that the provider's package put there: stubs, notes and summaries are new messages.
 */
export function contextMessages(context: readonly object[], history: readonly BaseMessage[]): BaseMessage[] {
  const pairs = history.map((message) => [modelMessage(message), message] as const);
  const results = history.filter((message) => ToolMessage.isInstance(message));
  const owns = ownMessages(context, pairs);
  return (context as ModelMessage[]).flatMap(({ role, content }, i): BaseMessage[] => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'tool') return parts.map((part) => resultMessage(part, results));
    const own = owns[i];
    if (role === 'assistant') return [own ? withReasoningOf(own, parts) : answerMessage(parts)];
    return [own ?? new HumanMessage(typeof content === 'string' ? content : parts.map(blockOf))];
  });
}

/** The caller's own message, unless the context shows its result in another way. */
function resultMessage(part: Part, results: readonly ToolMessage[]): BaseMessage {
  const { toolCallId, toolName, output } = part as Part & {
    toolCallId: string;
    toolName: string;
    output: Part;
  };
  const ofId = results.filter((one) => resultIdOf(one) === toolCallId);
  const shown = JSON.stringify(output);
  const same = ofId.findLast((one) => JSON.stringify(outputOf(one)) === shown);
  if (same) return same;
  // Of several results with one id nothing says which one a stub stands for.
  const own = ofId.length === 1 ? ofId[0] : undefined;
  return new ToolMessage({
    content: textOfResult(output),
    // As the caller's own call has it, which may be none.
    tool_call_id: ofId.length > 0 ? ofId[0]!.tool_call_id : toolCallId,
    name: toolName,
    status: String(output.type).startsWith('error') ? 'error' : 'success',
    ...(own?.id === undefined ? {} : { id: own.id }),
  });
}

/** What a result holds, as it was posted. */
const outputOf = (result: BaseMessage): unknown => (modelMessage(result).content as Part[])[0]?.output;

/** Leaves reasoning out where the context does: its provider would refuse it. */
function withReasoningOf(own: BaseMessage, parts: readonly Part[]): BaseMessage {
  const { content } = own;
  if (typeof content === 'string' || !content.some(isReasoning) || parts.some(isReasoning)) return own;
  const { tool_calls: calls = [], id, additional_kwargs: more } = own as AIMessage;
  return new AIMessage({
    content: content.filter((block) => !isReasoning(block)),
    tool_calls: calls,
    additional_kwargs: more,
    ...(id === undefined ? {} : { id }),
  });
}

/** An answer that the caller does not have, such as one that was shortened. */
function answerMessage(parts: readonly Part[]): AIMessage {
  // What the provider ran itself is nothing for the agent to run.
  const calls = parts.filter(({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted);
  return new AIMessage({
    content: parts.map(({ type, text }) => (type === 'text' ? String(text) : '')).join(''),
    tool_calls: calls.map(({ toolCallId, toolName, input }) => ({
      type: 'tool_call',
      id: String(toolCallId),
      name: String(toolName),
      args: input as Record<string, unknown>,
    })),
  });
}
