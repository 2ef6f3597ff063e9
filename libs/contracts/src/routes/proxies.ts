import type { z } from 'zod';
import {
  anthropicRequest,
  chatCompletionRequest,
  proxyHeaders,
  responseRequest,
} from '../messages/proxied.js';
import type { Route } from './route.js';

/** The model is sent the whole context, and what it answers is recorded. */
const proxy = (id: string, of: string, body: z.ZodType): Route => ({
  id,
  scope: 'messages:write',
  alsoScope: 'context:read',
  proxy: true,
  summary: `${of}: records what is new, sends the context of the thread, passes the answer on unchanged`,
  headers: proxyHeaders,
  body,
  answers: { 200: ['application/json', 'text/event-stream'] },
});

/** The providers' own APIs, for SDKs whose base URL is Spillway's. */
export const proxiesRoutes: Record<string, Route> = {
  'POST /v1/chat/completions': proxy(
    'proxyChatCompletion',
    'Chat Completions of OpenAI',
    chatCompletionRequest,
  ),
  'POST /v1/responses': proxy('proxyResponse', 'Responses of OpenAI', responseRequest),
  'POST /v1/messages': proxy('proxyMessage', 'Messages of Anthropic', anthropicRequest),
};
