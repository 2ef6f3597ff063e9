import type { Body } from '@spillway/engine';
import {
  leadingPrompt,
  objectIn,
  type ProviderReply,
  type ReadRequest,
  type ReplyCollector,
  type WireApi,
} from './wire-api.js';

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

interface CallDelta {
  index?: number;
  id?: string;
  type?: string;
  function?: { name?: string; arguments?: string };
}

interface Chunk {
  choices?: { index?: number; delta?: Record<string, unknown> & { tool_calls?: CallDelta[] } }[];
  usage?: unknown;
}

/** Puts a chat completion together from its chunks. Of several choices the first is recorded. */
class ChatReplyCollector implements ReplyCollector {
  reply: ProviderReply | null = null;
  private readonly message: Body = { role: 'assistant', content: null };
  private readonly calls: Required<CallDelta>[] = [];
  private usage: unknown = null;

  add({ data }: { data: string }): void {
    if (data.trim() === '[DONE]') {
      const calls = this.calls
        .filter(Boolean)
        .map(({ id, type, function: of }) => ({ id, type, function: of }));
      const message = { ...this.message, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
      this.reply = { messages: [message], usage: this.usage };
      return;
    }
    const { choices = [], usage } = (objectIn(data) ?? {}) as Chunk;
    if (usage) this.usage = usage;
    const { tool_calls: calls = [], ...fields } = choices.find(({ index = 0 }) => index === 0)?.delta ?? {};
    for (const [name, value] of Object.entries(fields)) this.addField(name, value);
    for (const call of calls ?? []) this.addCall(call);
  }

  /** Texts grow; what is said once stays. */
  private addField(name: string, value: unknown): void {
    if (name === 'role' || value === null || value === undefined) return;
    const before = this.message[name];
    this.message[name] = typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }

  private addCall({ index = 0, id, type, function: of }: CallDelta): void {
    const call = (this.calls[index] ??= {
      index,
      id: '',
      type: 'function',
      function: { name: '', arguments: '' },
    });
    if (id) call.id = id;
    if (type) call.type = type;
    if (of?.name) call.function.name = of.name;
    call.function.arguments += of?.arguments ?? '';
  }
}
