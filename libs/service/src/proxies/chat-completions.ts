import type { Body } from '@spillway/engine';
import { markLast, newestMark, withoutMarks } from './cache-marks.js';
import { ChatReplyCollector } from './chat-reply-collector.js';
import { leadingPrompt, type ReadRequest, type WireApi } from './wire-api.js';

/** OpenAI's POST /chat/completions, which many providers speak. */
export const chatCompletions: WireApi = {
  path: '/chat/completions',
  provider: 'openai',
  format: 'openai',
  read(body): ReadRequest {
    const { system, rest } = leadingPrompt(body.messages as Body[]);
    return {
      model: body.model as string,
      system,
      messages: rest.map(withoutMarks),
      tools: (body.tools as unknown[] | null | undefined) ?? [],
    };
  },
  write(body, asked, { system, messages }) {
    // As they came, with whatever else their caller put into them.
    const prompt =
      system === asked.system ? leadingPrompt(body.messages as Body[]).leading : promptOf(system);
    const { rest } = leadingPrompt(body.messages as Body[]);
    return { ...body, messages: [...prompt, ...markLast(messages, newestMark(rest))] };
  },
  replyIn(answer) {
    const { choices, usage = null } = Object(answer) as { choices?: { message?: Body }[]; usage?: unknown };
    const message = Array.isArray(choices) ? choices[0]?.message : undefined;
    return message ? { messages: [message], usage } : null;
  },
  collectReply: () => new ChatReplyCollector(),
};

const promptOf = (system: string | null): Body[] =>
  system === null ? [] : [{ role: 'system', content: system }];
