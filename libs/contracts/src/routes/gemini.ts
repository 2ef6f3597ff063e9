import type { z } from 'zod';
import {
  asEvents,
  geminiCount,
  geminiError,
  geminiModel,
  geminiModelList,
  geminiPage,
  geminiRequest,
  modelOfUrl,
} from '../messages/gemini.js';
import { providerAnswer, proxyHeaders } from '../messages/proxied.js';
import { none, type Route } from './route.js';

const ofGoogle = { proxy: 'google', foreignErrors: geminiError } as const;
const contents = [{ role: 'user', parts: [{ text: 'Where is order 1007?' }] }];

/** The model is sent the whole context, and what it answers is recorded. */
const proxied = (id: string, how: string, of: Pick<Route, 'query' | 'answers' | 'example'>): Route => ({
  id,
  scope: 'messages:write',
  alsoScope: 'context:read',
  ...ofGoogle,
  summary: `Gemini's API${how}: records what is new, sends the context of the thread, passes the answer on unchanged`,
  description:
    "Takes a request of Gemini's API as Google's SDKs send it. The model gets the context of the thread in place of the " +
    'contents, and the answer comes back byte for byte. Send the whole history or only what is new: each content is ' +
    'recorded once, and the same request again replaces its answer.',
  params: modelOfUrl,
  headers: proxyHeaders,
  body: geminiRequest,
  example: { body: { contents } },
  ...of,
});

const reads = (id: string, summary: string, description: string, answer: z.ZodType): Route => ({
  id,
  scope: 'context:read',
  ...ofGoogle,
  summary,
  description,
  answers: { 200: answer },
});

/** Google's own API of its models, for SDKs whose base URL is Spillway's. */
export const geminiRoutes: Record<string, Route> = {
  'POST /v1beta/models/{model}:generateContent': proxied('proxyGenerateContent', '', {
    query: none,
    answers: { 200: providerAnswer },
  }),
  'POST /v1beta/models/{model}:streamGenerateContent': proxied('proxyStreamGenerateContent', ', streamed', {
    query: asEvents,
    example: { query: { alt: 'sse' }, body: { contents } },
    answers: { 200: 'text/event-stream' },
  }),
  'POST /v1beta/models/{model}:countTokens': {
    id: 'proxyCountGeminiTokens',
    scope: 'messages:write',
    alsoScope: 'context:read',
    ...ofGoogle,
    summary: "Token counts of Gemini's API: passes the question and the answer on unchanged",
    description:
      'Takes a request as the SDKs of Google count it. The provider counts what is in the request and not the context ' +
      'of a thread, whose tokens `GET /v1/threads/{id}/context` says. Nothing is recorded, and no thread has to be named.',
    params: modelOfUrl,
    query: none,
    headers: proxyHeaders,
    body: geminiCount,
    example: { body: { contents } },
    answers: { 200: providerAnswer },
  },
  'GET /v1beta/models': {
    ...reads(
      'listGeminiModels',
      'Known models, as the SDKs of Google list them',
      "Lists the models of the registry and the project's overrides by name, as `GET /v1/models` does, whoever makes them.",
      geminiModelList,
    ),
    query: geminiPage,
  },
  'GET /v1beta/models/{model}': {
    ...reads(
      'getGeminiModel',
      'One model, as the SDKs of Google read it',
      'Returns a model of the registry or of an override, as `GET /v1/models/{name}` does.',
      geminiModel,
    ),
    params: modelOfUrl,
    query: none,
  },
};
