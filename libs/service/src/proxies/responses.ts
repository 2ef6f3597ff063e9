import type { Body } from '@spillway/engine';
import {
  isSystem,
  leadingPrompt,
  objectIn,
  type ProviderReply,
  type ReadRequest,
  refused,
  type ReplyCollector,
  type WireApi,
} from './wire-api.js';

/** Fields that refer to a history at the provider, which we do not hold. */
const heldElsewhere = ['previous_response_id', 'conversation'] as const;

/** OpenAI's POST /responses. */
export const responses: WireApi = {
  path: '/responses',
  provider: 'openai',
  format: 'responses',
  read(body): ReadRequest {
    for (const field of heldElsewhere)
      if (body[field] !== undefined && body[field] !== null)
        throw refused(field, 'refers to a history that OpenAI keeps: send the items themselves');
    const items = itemsOf(body);
    const { system, rest } = leadingPrompt(items);
    const prompts = [body.instructions, system].filter((text): text is string => typeof text === 'string');
    return {
      model: body.model as string,
      system: prompts.length === 0 ? null : prompts.join('\n\n'),
      messages: rest,
      tools: (body.tools as unknown[] | null | undefined) ?? [],
    };
  },
  write(body, asked, { system, messages }) {
    if (system === asked.system)
      return { ...body, input: [...leadingPrompt(itemsOf(body)).leading, ...messages] };
    return { ...body, instructions: system, input: [...messages] };
  },
  replyIn: replyOf,
  collectReply: () => new ResponseCollector(),
};

const itemsOf = ({ input }: Body): Body[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Body[]);

function replyOf(response: unknown): ProviderReply | null {
  const { output, usage = null } = Object(response) as { output?: Body[]; usage?: unknown };
  if (!Array.isArray(output) || output.length === 0) return null;
  return { messages: output.filter((item) => !isSystem(item)), usage };
}

/** The last event of a stream holds the whole response. */
const ends = new Set(['response.completed', 'response.incomplete']);

class ResponseCollector implements ReplyCollector {
  reply: ProviderReply | null = null;
  /** Only the last event reports it, with the reply. */
  readonly usage = null;

  add({ data }: { data: string }): void {
    const event = objectIn(data);
    if (event && ends.has(String(event.type))) this.reply = replyOf(event.response);
  }
}
