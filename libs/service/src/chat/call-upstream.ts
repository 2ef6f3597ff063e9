import { SpillwayError, type Body } from '@spillway/engine';
import { boundedAnswer } from '@spillway/llm';
import { z } from 'zod';
import type { Upstream } from '../upstreams/upstream-of.js';

export interface UpstreamRequest {
  model: string | null;
  messages: readonly object[];
  tools: readonly unknown[] | null;
  /** Aborted when nobody waits for the answer. */
  signal: AbortSignal;
  /** Takes room for a request of so many bytes until the caller releases it. Refuses by what it throws. */
  hold: (bytes: number) => void;
}

const tokens = z.number().int().min(0).max(1_000_000_000);
const toolCall = z.looseObject({ id: z.string().min(1).max(500), type: z.string().optional() });

/** An assistant message that can be recorded and sent again. Unknown fields are kept. */
const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })).min(1)]).nullish(),
          tool_calls: z.array(toolCall).max(2_000).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .looseObject({
      prompt_tokens: tokens,
      completion_tokens: tokens.optional(),
      prompt_tokens_details: z.looseObject({ cached_tokens: tokens.nullish() }).nullish(),
    })
    .nullish(),
});

export interface UpstreamAnswer {
  message: Body;
  usage: z.infer<typeof answerSchema>['usage'];
}

const timeoutMs = 120_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Calls a model that speaks OpenAI's chat completions, once. Throws `upstream_failed` with the status of the answer only:
 * nothing that the provider wrote. Throws what `hold` throws.
 */
export async function callUpstream(
  upstream: Pick<Upstream, 'baseUrl' | 'key' | 'post'>,
  request: UpstreamRequest,
): Promise<UpstreamAnswer> {
  const { model, messages, tools } = request;
  const json = JSON.stringify({ model, messages, ...(tools === null ? {} : { tools }) });
  request.hold(json.length);
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await ask(upstream, json, AbortSignal.any([timeout, request.signal])).catch(
    (cause: unknown) => {
      const why = request.signal.aborted
        ? 'The client disconnected before the model answered.'
        : timeout.aborted
          ? `The model did not answer within ${timeoutMs} ms.`
          : 'The model could not be reached, or its answer was cut off or too long.';
      throw new SpillwayError('upstream_failed', why, undefined, { cause });
    },
  );
  if (response.status !== 200)
    throw new SpillwayError('upstream_failed', `The model answered with status ${response.status}.`);
  return answerIn(response.text);
}

/** The reason is not passed on: the parser's message quotes the answer. */
function answerIn(text: string): UpstreamAnswer {
  const answer = answerSchema.safeParse(parsed(text));
  if (!answer.success)
    throw new SpillwayError('upstream_failed', "The model's answer is not a chat completion.");
  const { choices, usage } = answer.data;
  return { message: choices[0]!.message, usage };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function ask(
  { baseUrl, key, post }: Pick<Upstream, 'baseUrl' | 'key' | 'post'>,
  json: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const answer = await post(`${baseUrl}/chat/completions`, {
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: json,
    signal,
  });
  const response = boundedAnswer(answer, maxAnswerBytes);
  return { status: response.status, text: await response.text() };
}
