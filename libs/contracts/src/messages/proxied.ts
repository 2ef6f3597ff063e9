import { z } from 'zod';
import { askedModel, clientId } from '../text.js';

/** A message as the provider takes it. What is new is checked as `POST /v1/threads/{id}/messages` checks it. */
const messages = z
  .array(z.looseObject({}))
  .min(1)
  .max(50_000)
  .describe('The conversation, its end, or only what is new.');

export const tools = z
  .array(z.looseObject({}))
  .max(2_000)
  .nullish()
  .describe('As the provider takes them; sent on unchanged.');

export const metadata = z
  .looseObject({
    spillway_thread: clientId.optional().describe('The id of the thread, when no header names it.'),
  })
  .nullish()
  .describe('As the provider takes it; sent on unchanged.');

const fields = {
  model: askedModel.describe('The model to call, as the provider names it.'),
  tools,
  metadata,
};

/** Requests of the providers' SDKs. Only what a proxy reads is checked; everything else is the provider's. */
export const chatCompletionRequest = z
  .looseObject({ ...fields, messages })
  .meta({ id: 'ChatCompletionRequest' });

export const responseRequest = z
  .looseObject({
    ...fields,
    input: z
      .union([z.string().min(1), messages])
      .describe('A message of the user, or items: the conversation, its end, or only what is new.'),
  })
  .meta({ id: 'ResponseRequest' });

export const anthropicRequest = z.looseObject({ ...fields, messages }).meta({ id: 'AnthropicRequest' });

/** An answer or an error of a provider, which a proxy passes on unchanged. */
export const providerAnswer = z.looseObject({}).meta({
  id: 'ProviderAnswer',
  description: "The provider's own object, unchanged: its documentation says more.",
});

/** Any of them: `metadata` may name the thread. */
export interface ProxiedRequest extends Record<string, unknown> {
  metadata?: z.infer<typeof metadata>;
}

export const proxyHeaders = z.object({
  'spillway-thread': clientId
    .optional()
    .describe(
      'The id of the thread, which is created by its first request. Without it: a base URL that ends in ' +
        '`/thread/<id>`, before `/v1`; `metadata.spillway_thread` of the body, the thread of a thread token, ' +
        '`metadata.thread_id` of a request of OpenAI, or what `Spillway-Thread-From` says.',
    ),
  'spillway-thread-from': z
    .enum(['user', 'session', 'history'])
    .optional()
    .describe(
      'Where a request that names no thread finds one; a base URL may end in `/thread-from/<value>`, too. ' +
        '`user`: the thread is `user:<name>`, by the name in `user`, or in `metadata.user_id` of a request of ' +
        'Anthropic: one thread for each user. Requests of Google have no such name. `session`: the thread is ' +
        '`session:<id>`, by the header in which Claude Code or Codex names its conversation, and that of `history` ' +
        'for any other agent; calls that the agent makes beside it, without tools, are passed on and not recorded. ' +
        '`history`: the thread whose conversation the request continues, or else a new one. For callers that send ' +
        'the whole conversation each time.',
    ),
  'spillway-key': z
    .string()
    .max(200)
    .optional()
    .describe(
      'The API key of Spillway, when the key where the SDK puts it (`Authorization`, `x-api-key` or `x-goog-api-key`) is the ' +
        "caller's own key at the provider. The provider is then called with that key.",
    ),
});
