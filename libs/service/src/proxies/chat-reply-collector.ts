import type { Body } from '@spillway/engine';
import { grown } from './grown-value.js';
import { objectIn, type ProviderReply, type ReplyCollector } from './wire-api.js';

interface Chunk {
  /** Some servers send null with the usage. */
  choices?:
    | {
        index?: number;
        delta?: Body & { tool_calls?: CallDelta[] | null };
        finish_reason?: string | null;
      }[]
    | null;
  usage?: unknown;
  /** Some servers say in the middle of a stream that the answer failed. */
  error?: unknown;
}

type CallDelta = Body & { index?: number; id?: string; function?: Body; custom?: Body };

/**
 * Puts a chat completion together from its chunks. Of several choices the first is recorded. Servers add fields of their
 * own to messages and calls, and some, such as Gemini's signatures of calls, must come back: every field is kept.
 */
export class ChatReplyCollector implements ReplyCollector {
  reply: ProviderReply | null = null;
  usage: unknown = null;
  private readonly message: Body = { role: 'assistant', content: null };
  private readonly calls: CallDelta[] = [];
  /** Of the newest call of each index, which not every server sends. */
  private readonly places = new Map<number | undefined, number>();
  private hasFailed = false;
  private isFinished = false;

  add({ data }: { data: string }): void {
    if (this.reply) return;
    if (data.trim() === '[DONE]') {
      this.finish();
      return;
    }
    const { choices, usage, error } = (objectIn(data) ?? {}) as Chunk;
    if (usage) this.usage = usage;
    if (error) this.hasFailed = true;
    const first = choices?.find(({ index = 0 }) => index === 0);
    if (first?.finish_reason) this.isFinished = true;
    const { tool_calls: calls, ...fields } = first?.delta ?? {};
    grown(this.message, fields);
    for (const call of calls ?? []) this.addCall(call);
  }

  /** Not every gateway sends [DONE]. */
  ended(): void {
    if (this.isFinished) this.finish();
  }

  private finish(): void {
    if (this.hasFailed) return;
    const calls = this.calls.map(wholeCall);
    const message = { ...this.message, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    this.reply = { messages: [message], usage: this.usage };
  }

  private addCall(delta: CallDelta): void {
    const { index } = delta;
    const known = this.places.get(index);
    const at = known === undefined || begins(delta, this.calls[known]!) ? this.calls.length : known;
    this.places.set(index, at);
    this.calls[at] = grown(this.calls[at], delta) as CallDelta;
  }
}

/**
 * Whether a piece begins another call than the newest one of its index: Gemini sends whole calls without an index, or
 * all with the same one.
 */
function begins({ index, id, function: of, custom }: CallDelta, newest: CallDelta): boolean {
  const isNamed = Boolean((of ?? custom)?.name);
  return isNamed && id !== newest.id && (Boolean(id) || index === undefined);
}

/** A call as a message has it: without its place in the stream. */
function wholeCall({ index: _, ...call }: CallDelta): Body {
  if (call.custom) return { type: 'custom', ...call };
  return { id: '', type: 'function', ...call, function: { name: '', arguments: '', ...call.function } };
}
