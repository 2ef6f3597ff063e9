import type { Body } from '@spillway/engine';
import { isObject, objectIn, type ProviderReply, type ReplyCollector } from './wire-api.js';

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
  private message: Body = { role: 'assistant', content: null };
  private readonly calls: CallDelta[] = [];
  /** Of the newest call of each index, which not every server sends. */
  private readonly places = new Map<number | undefined, number>();
  private hasFailed = false;
  private isFinished = false;

  add({ data }: { data: string }): void {
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
    this.message = grown(this.message, fields) as Body;
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

/** What a chunk repeats as a whole; other texts come in pieces. */
const wholeTexts = new Set(['id', 'type', 'role', 'name', 'format', 'signature', 'thought_signature']);

/** A value of the message with what a chunk adds to it. */
function grown(before: unknown, delta: unknown): unknown {
  if (delta === null || delta === undefined) return before;
  if (typeof before === 'string' && typeof delta === 'string') return before + delta;
  if (Array.isArray(before) && Array.isArray(delta)) return grownList(before, delta);
  if (!isObject(delta)) return delta;
  const all: Body = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(delta)) {
    const isRepeated = wholeTexts.has(name) && typeof all[name] === 'string';
    if (!isRepeated) all[name] = grown(all[name], value);
    else if (value !== '' && value !== null) all[name] = value;
  }
  return all;
}

/** Pieces of one item have its index. Thinking blocks have none: one ends with its signature. */
function grownList(before: readonly unknown[], delta: readonly unknown[]): unknown[] {
  const all = [...before];
  for (const item of delta) {
    const at = all.findLastIndex((one, i) => isPieceOf(item, one, i === all.length - 1));
    if (at < 0) all.push(item);
    else all[at] = grown(all[at], item);
  }
  return all;
}

function isPieceOf(item: unknown, one: unknown, isNewest: boolean): boolean {
  if (!isObject(item) || !isObject(one) || item.type !== one.type) return false;
  if (item.index !== undefined) return item.index === one.index;
  return isNewest && item.type === 'thinking' && !one.signature;
}
