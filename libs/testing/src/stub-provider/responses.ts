import type { JsonMessage } from '../http/api.js';
import { onlyKnown, Refusal, streamEvents, textsOf, type Answered, type WireApi } from './wire-api.js';

const known = [
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'stream',
  'max_output_tokens',
  'temperature',
  'top_p',
  'metadata',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'store',
  'include',
  'truncation',
  'user',
  'previous_response_id',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt',
  'context_management',
  'conversation',
  'service_tier',
  'top_logprobs',
  'background',
  'safety_identifier',
  // Not documented; Codex sends it to OpenAI with each request.
  'client_metadata',
];
const fieldsByType: Record<string, readonly string[]> = {
  message: ['type', 'role', 'content', 'id', 'status', 'phase'],
  function_call: ['type', 'call_id', 'name', 'arguments', 'id', 'status', 'namespace'],
  function_call_output: ['type', 'call_id', 'output', 'id', 'status'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
};

/** OpenAI's POST /v1/responses. */
export const responses: WireApi = {
  path: /^\/v1\/responses$/,
  format: 'responses',
  read(body) {
    onlyKnown(body, known, ['model', 'input']);
    const input = body.input;
    const messages = (
      typeof input === 'string' ? [{ role: 'user', content: input }] : input
    ) as JsonMessage[];
    if (messages.length === 0) throw new Refusal("'input' must not be empty.");
    messages.forEach(checkItem);
    return {
      messages,
      system: typeof body.instructions === 'string' ? body.instructions : null,
      tools: (body.tools ?? []) as unknown[],
      stream: body.stream === true,
      thinks: false,
      thinking: false,
      results: messages
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => textsOf(output).join('\n')),
      asked: messages.filter(({ role }) => role === 'user').map(({ content }) => textsOf(content).join('\n')),
    };
  },
  send(response, answer) {
    const whole = responseOf(answer);
    if (answer.stream) streamEvents(response, events(whole));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
};

function checkItem(item: JsonMessage, i: number): void {
  const type = typeof item.type === 'string' ? item.type : 'message';
  const fields = fieldsByType[type];
  if (!fields) throw new Refusal(`Invalid value: '${type}'. input[${i}].type`);
  for (const key of Object.keys(item))
    if (!fields.includes(key)) throw new Refusal(`Unknown parameter: 'input[${i}].${key}'.`);
  if (type !== 'message') return;
  const { content, role } = item;
  if (typeof content !== 'string' && (!Array.isArray(content) || content.length === 0))
    throw new Refusal(`Invalid value: input[${i}].content`);
  const allowed =
    role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
  for (const part of Array.isArray(content) ? (content as { type: string }[]) : [])
    if (!allowed.includes(part.type)) throw new Refusal(`Invalid value: '${part.type}'. input[${i}].content`);
}

type OutputItem = { id: string; status: string } & (
  | { type: 'message'; role: 'assistant'; content: OutputText[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
);

interface OutputText {
  type: 'output_text';
  text: string;
  annotations: object[];
  logprobs: object[];
}

interface WholeResponse {
  output: OutputItem[];
  [key: string]: unknown;
}

function responseOf({ id, model, reply, inputTokens, outputTokens }: Answered): WholeResponse {
  const output: OutputItem[] = [
    ...(reply.text === undefined
      ? []
      : [
          {
            id: `msg_${id}`,
            type: 'message' as const,
            role: 'assistant' as const,
            status: 'completed',
            content: [{ type: 'output_text' as const, text: reply.text, annotations: [], logprobs: [] }],
          },
        ]),
    ...(reply.calls ?? []).map(({ name, args }, i) => ({
      id: `fc_${id}_${i}`,
      type: 'function_call' as const,
      call_id: `call_${id}_${i}`,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    })),
  ];
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model,
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: Math.floor(inputTokens / 2) },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

function events(whole: WholeResponse): { event: string; data: unknown }[] {
  let sequence_number = 0;
  const event = (type: string, rest: object) => ({
    event: type,
    data: { type, sequence_number: sequence_number++, ...rest },
  });
  return [
    event('response.created', { response: { ...whole, status: 'in_progress', output: [] } }),
    ...whole.output.flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item: opening(item) }),
      ...within(item).map(([type, rest]) =>
        event(`response.${type}`, { item_id: item.id, output_index, ...rest }),
      ),
      event('response.output_item.done', { output_index, item }),
    ]),
    event('response.completed', { response: whole }),
  ];
}

/** An item as its stream begins: without what follows in deltas. */
const opening = (item: OutputItem): OutputItem => ({
  ...item,
  status: 'in_progress',
  ...(item.type === 'message' ? { content: [] } : { arguments: '' }),
});

/** The events between the beginning and the end of an item. Some SDKs take the text from the deltas alone. */
function within(item: OutputItem): [type: string, rest: object][] {
  if (item.type !== 'message')
    return [
      ...halves(item.arguments).map((delta): [string, object] => [
        'function_call_arguments.delta',
        { delta },
      ]),
      ['function_call_arguments.done', { arguments: item.arguments }],
    ];
  return item.content.flatMap((part, content_index): [string, object][] => [
    ['content_part.added', { content_index, part: { ...part, text: '' } }],
    ...part.text
      .split(/(?<= )/)
      .map((delta): [string, object] => ['output_text.delta', { content_index, delta, logprobs: [] }]),
    ['output_text.done', { content_index, text: part.text, logprobs: [] }],
    ['content_part.done', { content_index, part }],
  ]);
}

const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)];
