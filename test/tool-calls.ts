/** An entry of `tool_calls`, as OpenAI's chat completions have it. */
export const callOf = (id: string, name = 'sh', args: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

/** An assistant's message that makes one call. */
export const toolCall = (...call: Parameters<typeof callOf>) => ({
  role: 'assistant',
  content: null,
  tool_calls: [callOf(...call)],
});

/** The result of a call. */
export const toolResult = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });

/** A call of `sh` and its result. */
export const toolRun = (id: string, content: unknown) => [toolCall(id), toolResult(id, content)];
