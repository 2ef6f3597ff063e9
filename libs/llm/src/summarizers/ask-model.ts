import { randomUUID } from 'node:crypto';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, NoObjectGeneratedError, Output, type LanguageModel } from 'ai';
import { summaryFieldNames, type SummaryFields } from '@spillway/engine';
import { z } from 'zod';
import { writePrompt } from '../prompt.js';
import { SummarizerError, type SummarizeInput, type Summarized } from '../summarizer.js';
import type { LlmProvider, LlmSettings } from '../llm-settings.js';

/** One way to reach each provider: a new one is a line here. */
const providers: Record<LlmProvider, (settings: LlmSettings, model: string) => LanguageModel> = {
  'openai-compatible': (s, model) =>
    createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: s.baseUrl ?? '',
      supportsStructuredOutputs: true,
      ...(s.apiKey ? { apiKey: s.apiKey } : {}),
    })(model),
  openai: (s, model) =>
    createOpenAICompatible({
      name: 'openai',
      baseURL: s.baseUrl ?? 'https://api.openai.com/v1',
      supportsStructuredOutputs: true,
      ...(s.apiKey ? { apiKey: s.apiKey } : {}),
    })(model),
  anthropic: (s, model) => createAnthropic({ ...reach(s) })(model),
  google: (s, model) => createGoogleGenerativeAI({ ...reach(s) })(model),
};

const reach = (s: LlmSettings) => ({
  ...(s.baseUrl ? { baseURL: s.baseUrl } : {}),
  ...(s.apiKey ? { apiKey: s.apiKey } : {}),
});

const fieldsSchema = z.object(
  Object.fromEntries(summaryFieldNames.map((name) => [name, z.string()])) as Record<
    keyof SummaryFields,
    z.ZodString
  >,
);

/** Asks a model for the five fields as structured output. One call; retries are decided where the state is. */
export async function askModel(
  settings: LlmSettings,
  name: string,
  input: SummarizeInput,
): Promise<Summarized> {
  try {
    return await ask(providers[settings.provider](settings, name), name, input);
  } catch (error) {
    throw asSummarizerError(error, input.signal);
  }
}

async function ask(model: LanguageModel, name: string, input: SummarizeInput): Promise<Summarized> {
  const { system, prompt } = writePrompt({
    prior: input.prior,
    messages: input.messages,
    maxTokens: input.maxTokens,
    custom: input.prompt,
    boundary: `=== transcript ${randomUUID()} ===`,
  });
  const { output, finishReason } = await generateText({
    model,
    instructions: system,
    prompt,
    maxRetries: 0,
    // JSON and its field names take tokens beside the text.
    maxOutputTokens: Math.ceil(input.maxTokens * 1.25) + 200,
    abortSignal: AbortSignal.any([input.signal, AbortSignal.timeout(input.timeoutMs)]),
    output: Output.object({ schema: fieldsSchema }),
  });
  if (finishReason === 'content-filter')
    throw new SummarizerError('refused', 'The model refused to summarize.');
  const fields = Object.fromEntries(
    summaryFieldNames.map((field) => [field, output[field].replaceAll('\0', '').toWellFormed()]),
  ) as SummaryFields;
  return { fields, method: 'llm', model: name };
}

function asSummarizerError(error: unknown, signal: AbortSignal): SummarizerError {
  if (error instanceof SummarizerError) return error;
  const cause = { cause: error };
  if (signal.aborted) return new SummarizerError('aborted', 'The attempt was given up.', null, cause);
  if (NoObjectGeneratedError.isInstance(error)) {
    return new SummarizerError(
      'invalid_answer',
      `The model's answer was not usable: ${error.message}`,
      null,
      cause,
    );
  }
  if (!APICallError.isInstance(error)) {
    return new SummarizerError(
      'unavailable',
      `The model could not be reached: ${String(error)}`,
      null,
      cause,
    );
  }
  const status = error.statusCode ?? 0;
  const said = `${status} ${error.message}`.slice(0, 500);
  if (status === 401 || status === 403)
    return new SummarizerError('auth', `The model refused the key: ${said}`, null, cause);
  if (status === 429 || status === 503) {
    return new SummarizerError('rate_limited', `The model is busy: ${said}`, retryAfter(error), cause);
  }
  if (status === 400 && /context|too long|maximum|token/i.test(error.message + (error.responseBody ?? ''))) {
    return new SummarizerError('too_long', `The input was too long: ${said}`, null, cause);
  }
  return new SummarizerError('unavailable', `The model failed: ${said}`, null, cause);
}

/** Retry-After in ms, between 1 s and 10 min, when the provider sent one that makes sense. */
function retryAfter(error: APICallError): number | null {
  const value = error.responseHeaders?.['retry-after'];
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), 600_000) : null;
}
