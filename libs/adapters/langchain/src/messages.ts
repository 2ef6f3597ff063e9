import { ownMessages } from '@spillway/client/agent';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from 'langchain';
import { blockOf, isReasoning, partsOf, resultOf, textOfResult, type Part } from './parts.js';

interface ModelMessage {
  role: string;
  content: string | Part[];
}

type ResultPart = Part & { toolCallId: string; toolName: string; output: Part };

/** A result of the caller, and as it was posted. */
interface Result {
  posted: ResultPart;
  own: ToolMessage;
}

/** Returns a history of LangChain as model messages of the AI SDK, one for each message. */
export function modelMessages(history: readonly BaseMessage[]): ModelMessage[] {
  let resultIdOf = callIds();
  return history.map((message) => {
    if (!AIMessage.isInstance(message)) return modelMessage(message, resultIdOf);
    // Its results come after it, in the order of its calls.
    resultIdOf = callIds();
    return modelMessage(message);
  });
}

/**
 * Returns a message of LangChain as a model message of the AI SDK, which has a part for everything in it. `idOf` gives the
 * id of a call or result by its own one and its tool.
 */
export function modelMessage(message: BaseMessage, idOf = callIds()): ModelMessage {
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
      type: 'tool-call',
      toolCallId: idOf(id, name),
      toolName: name,
      input: args,
    }));
    return { role: 'assistant', content: [...partsOf(message.content), ...calls] };
  }
  if (ToolMessage.isInstance(message)) {
    const { name: toolName = 'tool', tool_call_id: id, status, content } = message;
    const output = resultOf(content, status === 'error');
    const result = { type: 'tool-result', toolCallId: idOf(id, toolName), toolName, output };
    return { role: 'tool', content: [result] };
  }
  if (message.type === 'system') return { role: 'system', content: message.text };
  return {
    role: 'user',
    content: typeof message.content === 'string' ? message.content : partsOf(message.content),
  };
}

/**
 * Returns a function that gives the calls of one message, or their results, their ids. The service requires an id, and
 * some models give calls none: the first call of a tool is named after it, further ones are numbered from 2 on.
 */
function callIds(): (id: string | undefined, toolName: string) => string {
  const unnamed = new Map<string, number>();
  return (id, toolName) => {
    if (id) return id;
    const number = (unnamed.get(toolName) ?? 0) + 1;
    unnamed.set(toolName, number);
    return number === 1 ? toolName : `${toolName}-${number}`;
  };
}

/**
 * Returns the messages of a context as LangChain's. What the caller has is returned as the caller's own object, so that
 * nothing is lost that the provider's package put there: stubs, notes and summaries are new messages.
 */
export function contextMessages(context: readonly object[], history: readonly BaseMessage[]): BaseMessage[] {
  const pairs = modelMessages(history).map((posted, i) => [posted, history[i]!] as const);
  const results = pairs.flatMap(([{ content }, own]) =>
    ToolMessage.isInstance(own) ? [{ posted: (content as Part[])[0] as ResultPart, own }] : [],
  );
  const owns = ownMessages(context, pairs);
  return (context as ModelMessage[]).flatMap(({ role, content }, i): BaseMessage[] => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'tool') return parts.map((part) => resultMessage(part as ResultPart, results));
    const own = owns[i];
    if (role === 'assistant') return [own ? withReasoningOf(own, parts) : answerMessage(parts)];
    return [own ?? new HumanMessage(typeof content === 'string' ? content : parts.map(blockOf))];
  });
}

/** The caller's own message, unless the context shows its result in another way. */
function resultMessage(
  { toolCallId, toolName, output }: ResultPart,
  results: readonly Result[],
): BaseMessage {
  const ofId = results.filter(({ posted }) => posted.toolCallId === toolCallId);
  const shown = JSON.stringify(output);
  const same = ofId.findLast(({ posted }) => JSON.stringify(posted.output) === shown);
  if (same) return same.own;
  // Of several results with one id nothing says which one a stub stands for.
  const own = ofId.length === 1 ? ofId[0]!.own : undefined;
  return new ToolMessage({
    content: textOfResult(output),
    // As the caller's own call has it, which may be none.
    tool_call_id: ofId.length > 0 ? ofId[0]!.own.tool_call_id : toolCallId,
    name: toolName,
    status: String(output.type).startsWith('error') ? 'error' : 'success',
    ...(own?.id === undefined ? {} : { id: own.id }),
  });
}

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
