import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { countMessage, formats, loadCounter, type FormatName } from '@spillway/engine';
import { checkRequest } from './provider-rules.js';
import { anthropicMessages } from './anthropic-messages.js';
import { chatCompletions } from './chat-completions.js';
import { gemini } from './gemini.js';
import { responses } from './responses.js';
import type { ScriptedModel } from './scripted-model.js';
import { Refusal, type ReadRequest, type WireApi } from './wire-api.js';

export interface StubProviderOptions {
  model: ScriptedModel;
  /** A request of more true tokens is refused. */
  contextWindow: number;
  /** True tokens for one token of ours, as with another tokenizer. */
  tokenRatio?: number;
}

export interface RefusedRequest {
  path: string;
  message: string;
  messages: unknown[];
}

export interface StubProvider {
  /** Without a path: SDKs of OpenAI want `/v1` behind it. */
  url: string;
  /** True tokens of each accepted request. */
  accepted: number[];
  refused: RefusedRequest[];
  stop(): Promise<void>;
}

const apis: readonly WireApi[] = [chatCompletions, responses, anthropicMessages, gemini];

/**
 * A server that speaks OpenAI chat, OpenAI Responses, Anthropic Messages and Gemini's API, streaming or not. A scripted model
 * answers; the requests are read as strictly as the providers read them: unknown fields, wrong order of calls and
 * results, empty content, forged or misplaced signatures and too many tokens are refused with 400.
 */
export async function startStubProvider(options: StubProviderOptions): Promise<StubProvider> {
  const { contextWindow, tokenRatio = 1, model } = options;
  const count = await loadCounter('o200k');
  const accepted: number[] = [];
  const refused: RefusedRequest[] = [];
  const tokensOf = (format: FormatName, { messages, system, tools }: ReadRequest): number => {
    const counter = { text: count, perMessage: 4 };
    const ours =
      messages.reduce((sum, body) => sum + countMessage(formats[format].read(body), counter), 3) +
      (system === null ? 0 : count(system) + 4) +
      (tools.length === 0 ? 0 : count(JSON.stringify(tools)));
    return Math.round(ours * tokenRatio);
  };

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    const api = apis.find((one) => one.path.test(path));
    if (!api || request.method !== 'POST') return void response.writeHead(404).end('{}');
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    try {
      const read = api.read(body, path);
      const asked = read.model ?? String(body.model);
      const complaint = checkRequest(api.format, { ...read, model: asked });
      if (complaint !== null) throw new Refusal(complaint);
      const inputTokens = tokensOf(api.format, read);
      if (inputTokens > contextWindow)
        throw new Refusal(`prompt is too long: ${inputTokens} tokens > ${contextWindow} maximum`);
      const reply = model({
        results: read.results,
        asked: read.asked,
        tools: read.tools.map(nameOf),
        step: accepted.length,
      });
      accepted.push(inputTokens);
      api.send(response, {
        model: asked,
        reply,
        id: `${accepted.length}`.padStart(6, '0'),
        inputTokens,
        outputTokens: count(JSON.stringify(reply)),
        stream: read.stream,
        request: read,
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const messages = (body.messages ?? body.input ?? body.contents ?? []) as unknown[];
      refused.push({ path, message: error.message, messages });
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify(api.error(error.message)));
    }
  }

  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    refused,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The name of a tool as OpenAI's chat declares it, or as the other APIs do. Tools of a provider may have only a type. */
function nameOf(tool: unknown): string {
  const {
    type,
    name,
    function: declared,
  } = tool as { type?: string; name?: string; function?: { name: string } };
  return declared?.name ?? name ?? type ?? '';
}
