import type { Body } from '@spillway/engine';
import { markLast, newestMark, withoutMarks } from './cache-marks.js';
import {
  objectIn,
  promptText,
  refused,
  type ProviderReply,
  type ReadRequest,
  type ReplyCollector,
  type SentConversation,
  type WireApi,
} from './wire-api.js';

type Block = Record<string, unknown>;

/** Anthropic's POST /messages. */
export const anthropicMessages: WireApi = {
  path: '/messages',
  provider: 'anthropic',
  format: 'anthropic',
  read(body): ReadRequest {
    const { system, thread } = body;
    if (thread !== undefined && thread !== null)
      throw refused(
        'thread',
        'keeps the history at Anthropic: send the messages (toolRunner: `thread: false`)',
      );
    return {
      model: body.model as string,
      system: system === undefined || system === null ? null : promptText(system),
      messages: (body.messages as Body[]).map(withoutMarks),
      tools: (body.tools as unknown[] | null | undefined) ?? [],
    };
  },
  write(body, asked, sent) {
    const { system, messages } = sent;
    const { thinking, ...rest } = body;
    return {
      ...rest,
      ...(thinking === undefined || mustStop(thinking, sent) ? {} : { thinking }),
      ...(system === asked.system ? {} : { system: system ?? undefined }),
      messages: markLast(messages, newestMark(body.messages as Body[])),
    };
  },
  replyIn(answer) {
    const { role, content, usage = null } = Object(answer) as Body;
    return role === 'assistant' && Array.isArray(content) && content.length > 0
      ? { messages: [{ role, content }], usage }
      : null;
  },
  collectReply: () => new MessageCollector(),
};

const blocksOf = ({ content }: Body): Block[] => (Array.isArray(content) ? (content as Block[]) : []);

/**
 * Whether thinking must be off until the running tool loop ends. With thinking always on, Claude refuses a loop that does
 * not begin with its thinking: a fold left it out, or the loop went on without it since then. A loop that no fold changed
 * is as the caller sent it, and where the model decides when to think any loop is valid.
 */
function mustStop(thinking: unknown, { messages, summary, reasoning, elided }: SentConversation): boolean {
  const isAlwaysOn = (Object(thinking) as Block).type === 'enabled';
  const lost = reasoning.why.some((why) => why !== 'prefix_changed');
  const shortened = elided.some(({ reason }) => reason === 'shortened');
  const isChanged = summary !== null || lost || shortened;
  return isAlwaysOn && isChanged && isLoopWithoutThinking(messages);
}

/** Whether the context ends in a tool loop whose newest calls do not begin with thinking. */
function isLoopWithoutThinking(messages: readonly Body[]): boolean {
  const { role, content } = messages.findLast((message) => message.role === 'assistant') ?? {};
  const last = messages.at(-1);
  const runs = last?.role === 'user' && blocksOf(last).some(({ type }) => type === 'tool_result');
  if (!runs || role === undefined) return false;
  const [first] = Array.isArray(content) ? (content as Block[]) : [];
  return first?.type !== 'thinking' && first?.type !== 'redacted_thinking';
}

interface StreamEvent {
  type?: string;
  message?: { usage?: Record<string, unknown> };
  index?: number;
  content_block?: Block;
  delta?: Record<string, unknown>;
  usage?: Record<string, unknown>;
}

/** Puts a message together from its stream. */
class MessageCollector implements ReplyCollector {
  reply: ProviderReply | null = null;
  usage: Record<string, unknown> | null = null;
  /** By the index that the provider gave them: a list would be as long as the largest number. */
  private readonly blocks = new Map<number, Block>();
  /** Inputs of calls, as the JSON text that arrives piece by piece. */
  private readonly inputs = new Map<number, string>();

  add({ data }: { data: string }): void {
    if (this.reply) return;
    const event = (objectIn(data) ?? {}) as StreamEvent;
    const { index = 0 } = event;
    switch (event.type ?? '') {
      case 'message_start':
        this.usage = event.message?.usage ?? null;
        break;
      case 'content_block_start':
        this.blocks.set(index, { ...event.content_block });
        break;
      case 'content_block_delta':
        this.addDelta(index, event.delta ?? {});
        break;
      case 'message_delta':
        this.usage = Object.assign(this.usage ?? {}, event.usage);
        break;
      case 'message_stop':
        this.end();
        break;
      default:
      // Pings, ends of blocks, and what is not known yet say nothing of the reply.
    }
  }

  private addDelta(index: number, { type, ...delta }: Record<string, unknown>): void {
    const block = this.blocks.get(index) ?? {};
    this.blocks.set(index, block);
    if (type === 'input_json_delta') {
      this.inputs.set(index, (this.inputs.get(index) ?? '') + String(delta.partial_json));
    } else if (type === 'citations_delta') {
      // Changed in place: a copy for each citation would take time quadratic in their number.
      if (Array.isArray(block.citations)) block.citations.push(delta.citation);
      else block.citations = [delta.citation];
    } else {
      for (const [name, value] of Object.entries(delta))
        block[name] = typeof block[name] === 'string' ? `${block[name]}${String(value)}` : value;
    }
  }

  private end(): void {
    const inOrder = [...this.blocks].sort(([one], [other]) => one - other);
    const content = inOrder.map(([index, block]) => {
      const input = this.inputs.get(index);
      return input ? { ...block, input: objectIn(input) ?? {} } : block;
    });
    if (content.length > 0) this.reply = { messages: [{ role: 'assistant', content }], usage: this.usage };
  }
}
