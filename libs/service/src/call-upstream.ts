import { SpillwayError, type Body } from '@spillway/engine';
import type { LlmSettings } from '@spillway/llm';
import { z } from 'zod';

export interface UpstreamRequest {
  model: string | null;
  messages: readonly object[];
  tools: readonly unknown[] | null;
}

const answerSchema = z.object({
  choices: z.array(z.object({ message: z.looseObject({ role: z.literal('assistant') }) })).min(1),
  usage: z
    .object({ prompt_tokens: z.number().int().min(0) })
    .loose()
    .optional(),
});

export interface UpstreamAnswer {
  message: Body;
  usage?: { prompt_tokens: number } | undefined;
}

const timeoutMs = 120_000;

/** Asks a model that speaks OpenAI's chat completions, once. Throws `upstream_failed`; whether to ask again is the caller's. */
export async function callUpstream(
  llm: LlmSettings,
  { model, messages, tools }: UpstreamRequest,
): Promise<UpstreamAnswer> {
  if (llm.provider !== 'openai' && llm.provider !== 'openai-compatible')
    throw new SpillwayError(
      'upstream_not_configured',
      `Chat needs an OpenAI-compatible model, not ${llm.provider}.`,
    );
  const url = `${(llm.baseUrl ?? 'https://api.openai.com/v1').replace(/\/$/, '')}/chat/completions`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(llm.apiKey === null ? {} : { authorization: `Bearer ${llm.apiKey}` }),
      },
      body: JSON.stringify({ model, messages, ...(tools === null ? {} : { tools }) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`);
    const { choices, usage } = answerSchema.parse(JSON.parse(text));
    return { message: choices[0]!.message, usage };
  } catch (error) {
    throw new SpillwayError(
      'upstream_failed',
      `The model did not answer: ${(error as Error).message}`,
      undefined,
      {
        cause: error,
      },
    );
  }
}
