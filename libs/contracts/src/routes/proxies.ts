import type { z } from 'zod';
import {
  anthropicRequest,
  chatCompletionRequest,
  providerAnswer,
  proxyHeaders,
  responseRequest,
} from '../messages/proxied.js';
import type { Route } from './route.js';

/** The model is sent the whole context, and what it answers is recorded. */
const proxy = (id: string, of: string, body: z.ZodType, example: object): Route => ({
  id,
  scope: 'messages:write',
  alsoScope: 'context:read',
  proxy: true,
  summary: `${of}: records what is new, sends the context of the thread, passes the answer on unchanged`,
  description:
    `Takes a request of ${of} as its SDK sends it. The model gets the context of the thread in place of the ` +
    'conversation, and the answer comes back byte for byte, streamed or not. Send the whole history or only what is ' +
    'new: each message is recorded once, and the same request again replaces its answer.',
  headers: proxyHeaders,
  body,
  example: { body: example },
  answers: { 200: [providerAnswer, 'text/event-stream'] },
  foreignErrors: providerAnswer,
});

const question = { role: 'user', content: 'Where is order 1007?' };

/** The providers' own APIs, for SDKs whose base URL is Spillway's. */
export const proxiesRoutes: Record<string, Route> = {
  'POST /v1/chat/completions': proxy(
    'proxyChatCompletion',
    'Chat Completions of OpenAI',
    chatCompletionRequest,
    { model: 'gpt-4o', messages: [question] },
  ),
  'POST /v1/responses': proxy('proxyResponse', 'Responses of OpenAI', responseRequest, {
    model: 'gpt-4o',
    input: question.content,
  }),
  'POST /v1/messages': proxy('proxyMessage', 'Messages of Anthropic', anthropicRequest, {
    model: 'claude-sonnet-5',
    max_tokens: 1024,
    messages: [question],
  }),
  'POST /v1/messages/count_tokens': {
    id: 'proxyCountTokens',
    scope: 'messages:write',
    alsoScope: 'context:read',
    proxy: true,
    summary: 'Token counts of Anthropic: passes the question and the answer on unchanged',
    description:
      'Takes a request as the SDK of Anthropic counts it. The provider counts what is in the request and not the ' +
      'context of a thread, whose tokens `GET /v1/threads/{id}/context` says. Nothing is recorded, and no thread has ' +
      'to be named.',
    headers: proxyHeaders,
    body: anthropicRequest,
    example: { body: { model: 'claude-sonnet-5', messages: [question] } },
    answers: { 200: providerAnswer },
    foreignErrors: providerAnswer,
  },
};
