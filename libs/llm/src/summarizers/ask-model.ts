import { randomUUID } from 'node:crypto';
import { slotsOf, type SummaryFields } from '@spillway/engine';
import {
  generateText,
  jsonSchema,
  NoObjectGeneratedError,
  Output,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import { approachOf, type Approach } from '../approach.js';
import { continuationPrompt } from '../prompts/continuation.js';
import { lostHint } from '../prompts/lost.js';
import { transcriptPrompt } from '../prompts/transcript.js';
import { shapeOf, type SummaryShape } from '../summary-shape.js';
import { toolSet } from './tool-set.js';
import { SummarizerError, type SummarizeInput, type Summarized } from '../summarizer.js';
import type { LlmSettings } from '../llm-settings.js';
import { metered } from './metered.js';
import { asSummarizerError } from './model-error.js';
import { providers } from './providers.js';

/** Asks a model for a summary with one call. The caller, which has the state, decides on retries. */
export async function askModel(
  settings: LlmSettings,
  name: string,
  input: SummarizeInput,
): Promise<Summarized> {
  try {
    const shape = acceptedShape(input.schema);
    const approach = approachOf(input.attempt);
    const { narrative } = slotsOf(input.maxTokens, 'llm');
    const tokens = Math.max(32, Math.floor(narrative * approach.share));
    const model = metered(providers[settings.provider](settings, name), (usage) => input.spent(name, usage));
    const ask = input.conversation ? continueConversation : sendTranscript;
    const answer = await ask(model, input, { shape, approach, tokens });
    return { fields: readAnswer(shape, answer), method: 'llm', model: name };
  } catch (error) {
    throw asSummarizerError(error, input.signal);
  }
}

/** A schema that an earlier version stored may be refused today. */
function acceptedShape(schema: SummarizeInput['schema']): SummaryShape {
  try {
    return shapeOf(schema);
  } catch (error) {
    const message = `summary.schema cannot be used: ${(error as Error).message}. Change summary.schema.`;
    throw new SummarizerError('rejected', message, null, { cause: error });
  }
}

interface Question {
  shape: SummaryShape;
  approach: Approach;
  tokens: number;
}

async function sendTranscript(
  model: LanguageModel,
  input: SummarizeInput,
  { shape, approach, tokens }: Question,
): Promise<unknown> {
  const { system, prompt } = transcriptPrompt({
    prior: input.prior,
    messages: input.messages,
    tokens,
    custom: input.prompt,
    hint: hintOf(approach, input.lost),
    schema: approach.structured ? null : shape.jsonSchema,
    boundary: `=== transcript ${randomUUID()} ===`,
  });
  const call = { model, instructions: system, prompt, ...limitsOf(input, tokens) };
  if (!approach.structured) return answerIn(await generateText(call));
  const schema = jsonSchema(shape.jsonSchema);
  try {
    const result = await generateText({ ...call, output: Output.object({ schema }) });
    refuseUnfinished(result.finishReason);
    return result.output;
  } catch (error) {
    // Servers that know no response format let their models write fences or words around the object.
    if (!NoObjectGeneratedError.isInstance(error) || !error.text?.includes('{')) throw error;
    return answerIn({ text: error.text, finishReason: error.finishReason ?? 'stop' });
  }
}

async function continueConversation(
  model: LanguageModel,
  input: SummarizeInput,
  { shape, approach, tokens }: Question,
): Promise<unknown> {
  const { system, messages, tools, toSeq, newer } = input.conversation!;
  const asked = continuationPrompt({
    toSeq,
    newer,
    tokens,
    custom: input.prompt,
    hint: hintOf(approach, input.lost),
    schema: shape.jsonSchema,
  });
  const result = await generateText({
    model,
    ...(system === null ? {} : { instructions: system }),
    messages: [...(messages as ModelMessage[]), { role: 'user', content: asked }],
    tools: toolSet(tools),
    ...limitsOf(input, tokens),
  });
  return answerIn(result);
}

/** What the model is told of its earlier answers. */
function hintOf({ hint }: Approach, lost: SummarizeInput['lost'] = []): string | null {
  const all = [...(hint === null ? [] : [hint]), ...(lost.length === 0 ? [] : [lostHint(lost)])];
  return all.length === 0 ? null : all.join('\n\n');
}

const limitsOf = (input: SummarizeInput, tokens: number) => ({
  maxRetries: 0,
  // JSON and field names take tokens beside the text, and so does thinking of models that cannot disable it.
  maxOutputTokens: Math.ceil(tokens * 1.25) + (input.attempt === 1 ? 200 : 2_000),
  abortSignal: AbortSignal.any([input.signal, AbortSignal.timeout(input.timeoutMs)]),
});

/** The JSON object in a free-text answer. */
function answerIn({ text, finishReason }: { text: string; finishReason: string }): unknown {
  refuseUnfinished(finishReason);
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw new SummarizerError('invalid_answer', 'The answer holds no JSON object.', null, { cause: error });
  }
}

/** A model may spend all of its tokens on thinking: such an answer is cut off before its first word. */
function refuseUnfinished(finishReason: string): void {
  if (finishReason === 'content-filter')
    throw new SummarizerError('refused', 'The model refused to summarize.');
  if (finishReason === 'length') throw new SummarizerError('invalid_answer', 'The answer was cut off.');
}

function readAnswer(shape: SummaryShape, answer: unknown): SummaryFields {
  try {
    return shape.read(answer);
  } catch (error) {
    throw new SummarizerError('invalid_answer', `The summary is not usable: ${(error as Error).message}`);
  }
}
