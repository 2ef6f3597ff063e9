import type { JsonMessage } from '../http/api.js';
import { onlyKnown, Refusal, streamEvents, textsOf, type Answered, type WireApi } from './wire-api.js';

const known = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'n',
  'stop',
  'seed',
  'user',
  'metadata',
  'parallel_tool_calls',
  'reasoning_effort',
  'response_format',
  'store',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
];
const fieldsByRole: Record<string, readonly string[]> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'refusal', 'tool_calls', 'audio', 'annotations', 'function_call'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};

/** OpenAI's POST /chat/completions. */
export const chatCompletions: WireApi = {
  path: /^\/v1\/chat\/completions$/,
  format: 'openai',
  read(body) {
    onlyKnown(body, known, ['model', 'messages']);
    const messages = body.messages as JsonMessage[];
    if (!Array.isArray(messages) || messages.length === 0) throw new Refusal("'messages' must not be empty.");
    messages.forEach(checkMessage);
    const of = (role: string) => messages.filter((message) => message.role === role);
    return {
      messages,
      system: null,
      tools: (body.tools ?? []) as unknown[],
      stream: body.stream === true,
      thinks: false,
      thinking: false,
      results: of('tool').map((message) => textsOf(message.content).join('\n')),
      asked: of('user').map((message) => textsOf(message.content).join('\n')),
    };
  },
  send(response, answer) {
    if (answer.stream) streamEvents(response, chunks(answer), 'data: [DONE]\n\n');
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(answer)));
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
};

function checkMessage(message: JsonMessage, i: number): void {
  const fields = fieldsByRole[message.role];
  if (!fields) throw new Refusal(`Invalid value for messages[${i}].role: '${message.role}'.`);
  for (const key of Object.keys(message))
    if (!fields.includes(key)) throw new Refusal(`Unrecognized field messages[${i}].${key}.`);
  const { content, tool_calls: calls } = message;
  if (Array.isArray(calls) && calls.length === 0)
    throw new Refusal(`[] is too short - 'messages.${i}.tool_calls'.`);
  if (Array.isArray(content) && content.length === 0)
    throw new Refusal(`messages[${i}].content must not be [].`);
  const mayBeNull =
    message.role === 'assistant' && (Array.isArray(calls) || typeof message.refusal === 'string');
  if ((content === null || content === undefined) && !mayBeNull)
    throw new Refusal(`Invalid value for 'content': expected a string, got null. messages[${i}]`);
}

const callsOf = ({ reply, id }: Answered) =>
  (reply.calls ?? []).map(({ name, args }, i) => ({
    id: `call_${id}_${i}`,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }));

const usageOf = ({ inputTokens, outputTokens }: Answered) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: Math.floor(inputTokens / 2), audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
});

const headOf = ({ id, model }: Answered, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: 1_700_000_000,
  model,
});

function completion(answer: Answered): unknown {
  const calls = callsOf(answer);
  const message = {
    role: 'assistant',
    content: answer.reply.text ?? null,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    ...headOf(answer, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
    usage: usageOf(answer),
  };
}

function chunks(answer: Answered): { data: unknown }[] {
  const head = headOf(answer, 'chat.completion.chunk');
  const calls = callsOf(answer);
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason, logprobs: null }], usage: null },
  });
  const words = (answer.reply.text ?? '').split(/(?<= )/).filter((word) => word !== '');
  return [
    chunk({ role: 'assistant', content: calls.length > 0 && words.length === 0 ? null : '' }),
    ...words.map((content) => chunk({ content })),
    ...calls.flatMap(({ id, type, function: of }, index) => [
      chunk({ tool_calls: [{ index, id, type, function: { name: of.name, arguments: '' } }] }),
      ...halves(of.arguments).map((text) =>
        chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
      ),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { data: { ...head, choices: [], usage: usageOf(answer) } },
  ];
}

const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)];
