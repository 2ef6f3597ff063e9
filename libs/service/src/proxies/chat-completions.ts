import type { Body } from '@spillway/engine';
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
      messages: rest,
      tools: (body.tools as unknown[] | null | undefined) ?? [],
    };
  },
  write(body, asked, { system, messages }) {
    // As they came, with whatever else their caller put into them.
    const prompt =
      system === asked.system ? leadingPrompt(body.messages as Body[]).leading : promptOf(system);
    return { ...body, messages: [...prompt, ...messages] };
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
