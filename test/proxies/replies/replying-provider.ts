import { startRecordedProvider, type RecordedProvider } from '../recorded-provider.js';

const reply = 'It left on Monday.';
/** Answers of the providers, by path. */
const replies: Record<string, object> = {
  '/v1/chat/completions': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_795_600_000,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: reply }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 14, completion_tokens: 5, total_tokens: 19 },
  },
  '/v1/responses': {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-4o',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply, annotations: [] }],
      },
    ],
    usage: { input_tokens: 14, output_tokens: 5, total_tokens: 19 },
  },
  '/v1/messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [{ type: 'text', text: reply }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 14, output_tokens: 5 },
  },
  '/v1/messages/count_tokens': { input_tokens: 14 },
  '/v1/models/gemini-2.5-flash:generateContent': {
    candidates: [{ content: { role: 'model', parts: [{ text: reply }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 14, candidatesTokenCount: 5, totalTokenCount: 19 },
    modelVersion: 'gemini-2.5-flash',
  },
  '/v1/models/gemini-2.5-flash:countTokens': { totalTokens: 14 },
};

/** A provider that answers each of its APIs with one short reply. */
export async function startReplyingProvider(): Promise<RecordedProvider> {
  const provider = await startRecordedProvider((response) => {
    const { url } = provider.received.at(-1)!;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replies[url!]));
  });
  return provider;
}
