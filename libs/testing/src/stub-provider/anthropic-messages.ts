import type { JsonMessage } from '../http/api.js';
import { onlyKnown, Refusal, streamEvents, textsOf, type Answered, type WireApi } from './wire-api.js';
import { signThinking } from './signed-reasoning.js';

const known = [
  'model',
  'messages',
  'max_tokens',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  // Of betas, which the Claude Agent SDK asks for.
  'context_management',
  'output_config',
];
const fieldsByType: Record<string, readonly string[]> = {
  text: ['type', 'text', 'citations', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'context', 'citations', 'cache_control'],
};

type Block = Record<string, unknown> & { type: string };

/** Anthropic's POST /v1/messages. */
export const anthropicMessages: WireApi = {
  path: /^\/v1\/messages$/,
  format: 'anthropic',
  read(body) {
    onlyKnown(body, known, ['model', 'messages', 'max_tokens']);
    const messages = body.messages as JsonMessage[];
    if (!Array.isArray(messages) || messages.length === 0)
      throw new Refusal('messages: at least one message is required');
    messages.forEach((message, i) => checkMessage(message, i));
    const blocks = messages.flatMap(blocksOf);
    return {
      messages,
      system: textsOf(body.system).join('\n') || null,
      tools: (body.tools ?? []) as unknown[],
      stream: body.stream === true,
      thinks: body.thinking !== undefined,
      // A model that decides by itself when to think needs no thinking at the start of a loop.
      thinking:
        (body.thinking as { type?: unknown } | undefined)?.type === 'enabled' &&
        !/fable/.test(String(body.model)),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map((block) => textsOf(block.content).join('\n')),
      // A message of results alone asks nothing.
      asked: messages
        .filter(({ role }) => role === 'user')
        .map((message) => blocksOf(message).flatMap(({ type, text }) => (type === 'text' ? [text] : [])))
        .flatMap((texts) => (texts.length === 0 ? [] : [texts.join('\n')])),
    };
  },
  send(response, answer) {
    const message = answered(answer);
    if (answer.stream) streamEvents(response, events(message));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

const blocksOf = ({ content }: JsonMessage): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[]);

function checkMessage(message: JsonMessage, i: number): void {
  for (const key of Object.keys(message))
    if (key !== 'role' && key !== 'content' && !(key === 'output_config' && message.role === 'system'))
      throw new Refusal(`messages.${i}.${key}: Extra inputs are not permitted`);
  for (const [n, block] of blocksOf(message).entries()) {
    const fields = fieldsByType[block.type];
    if (!fields) throw new Refusal(`messages.${i}.content.${n}: Input tag '${block.type}' is not expected`);
    for (const key of Object.keys(block))
      if (!fields.includes(key))
        throw new Refusal(`messages.${i}.content.${n}.${block.type}.${key}: Extra inputs are not permitted`);
    if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
      throw new Refusal(
        `messages.${i}.content.${n}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
      );
  }
}

/** A part of the input is read from the cache, as with a real conversation: `input_tokens` leaves it out. */
const usageOf = ({ inputTokens, outputTokens }: Answered) => {
  const read = Math.floor(inputTokens * 0.6);
  const written = Math.floor(inputTokens * 0.3);
  return {
    input_tokens: inputTokens - read - written,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    server_tool_use: null,
    service_tier: 'standard',
  };
};

interface AnthropicMessage {
  content: Block[];
  usage: Record<string, unknown>;
  stop_reason: string;
  [key: string]: unknown;
}

function answered(answer: Answered): AnthropicMessage {
  const { reply, id, model, request } = answer;
  const text = `Step ${id}: what the last results say decides what comes next.`;
  const content: Block[] = [
    ...(request.thinks
      ? [{ type: 'thinking', thinking: text, signature: signThinking(model, request) }]
      : []),
    ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text, citations: null }]),
    ...(reply.calls ?? []).map(({ name, args }, i) => ({
      type: 'tool_use',
      id: `toolu_${id}_${i}`,
      name,
      input: args,
    })),
  ];
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reply.calls?.length ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: usageOf(answer),
  };
}

function events({
  content,
  stop_reason,
  usage,
  ...head
}: AnthropicMessage): { event: string; data: unknown }[] {
  const event = (type: string, rest: object) => ({ event: type, data: { type, ...rest } });
  return [
    event('message_start', {
      message: { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    }),
    ...content.flatMap((block, index) => [
      event('content_block_start', { index, content_block: opening(block) }),
      ...deltas(block).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    }),
    event('message_stop', {}),
  ];
}

const opening = (block: Block): object => {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { ...block, input: {} };
};

const deltas = (block: Block): object[] => {
  if (block.type === 'text') return [{ type: 'text_delta', text: block.text }];
  if (block.type === 'thinking')
    return [
      { type: 'thinking_delta', thinking: block.thinking },
      { type: 'signature_delta', signature: block.signature },
    ];
  return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
};
