import {
  functionOfUnknownCall,
  geminiContents,
  geminiHistory,
  geminiSystem,
  geminiTools,
  geminiUsage,
  wholeAnswers,
  type GeminiContent,
  type GeminiPart,
  type GeminiUsage,
} from '@spillway/client/agent';
import type { Body } from '@spillway/engine';
import { objectIn, refused, type ProviderReply, type ReplyCollector, type WireApi } from './wire-api.js';

/** The path of a model under the base URL. */
export const pathOfModel = (model: string): string => `/models/${encodeURIComponent(model)}`;

export interface GeminiCall {
  /** The model, which the URL names. */
  model: string;
  isStream: boolean;
}

/**
 * Google's POST /models/{model}:generateContent and :streamGenerateContent. Contents are recorded as messages of the AI
 * SDK, from which they are written again as they came.
 */
export const geminiContent = ({ model, isStream }: GeminiCall): WireApi => ({
  path: pathOfModel(model) + (isStream ? ':streamGenerateContent?alt=sse' : ':generateContent'),
  provider: 'google',
  format: 'ai-sdk',
  read(body) {
    if (isGiven(body.cachedContent))
      throw refused('cachedContent', 'refers to contents that Google keeps: send the contents themselves');
    const messages = messagesOf(body.contents as GeminiContent[]);
    if (messages.length === 0) throw refused('contents', 'must have parts');
    const called = functionOfUnknownCall(messages);
    if (called !== undefined)
      throw refused(
        'contents',
        `has a result of the function ${JSON.stringify(called)} that has no id, and not the content with its call: send that content too`,
      );
    return {
      model,
      system: isGiven(body.systemInstruction) ? (geminiSystem(body.systemInstruction) ?? null) : null,
      messages,
      tools: geminiTools((body.tools as unknown[] | null | undefined) ?? []),
      isRest: isGiven(body.continuationToken),
    };
  },
  write(body, asked, { system, messages }) {
    const changed =
      system === asked.system
        ? {}
        : { systemInstruction: system === null ? undefined : { parts: [{ text: system }] } };
    // What is recorded, also where the caller shows it in another way.
    return { ...body, ...changed, contents: geminiContents(messages, []) };
  },
  replyIn(answer) {
    const collected = new AnswerCollector();
    collected.take(Object(answer) as Piece);
    collected.ended();
    return collected.reply;
  },
  collectReply: () => new AnswerCollector(),
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Callers may send a piece of the conversation: ids of calls that have none do not depend on the rest of it. */
const messagesOf = (contents: readonly GeminiContent[]): Body[] =>
  geminiHistory(wholeAnswers(contents), { isWhole: false }).map(([message]) => message as Body);

interface Piece {
  candidates?: { content?: { parts?: GeminiPart[] }; finishReason?: string; index?: number }[];
  usageMetadata?: GeminiUsage;
  error?: unknown;
}

/**
 * Puts an answer together from its pieces. Of several candidates the first is recorded. An answer that is to be
 * continued is counted only: the caller has all of it in the next request.
 */
class AnswerCollector implements ReplyCollector {
  reply: ProviderReply | null = null;
  usage: unknown = null;
  private readonly parts: GeminiPart[] = [];
  private finishReason: string | undefined;
  private hasFailed = false;

  add({ data }: { data: string }): void {
    this.take(objectIn(data) ?? {});
  }

  take({ candidates, usageMetadata, error }: Piece): void {
    if (error) this.hasFailed = true;
    this.usage = geminiUsage(usageMetadata) ?? this.usage;
    const first = candidates?.find(({ index = 0 }) => index === 0);
    for (const part of first?.content?.parts ?? []) this.parts.push(part);
    this.finishReason = first?.finishReason ?? this.finishReason;
  }

  /** Models may give a reason with each piece: only the end of the stream tells that the answer is whole. */
  ended(): void {
    if (this.hasFailed) return;
    const isWhole = this.finishReason !== undefined && this.finishReason !== 'CONTINUATION';
    const messages = isWhole ? messagesOf([{ role: 'model', parts: this.parts }]) : [];
    if (messages.length > 0 || this.usage) this.reply = { messages, usage: this.usage };
  }
}
