import type { Schemas } from '@spillway/client';
import { formats, type Part } from '@spillway/engine';
import { apiOf } from '@spillway/testing';

export const question = /order|fail/;
export const toolName = 'listOrders';
/** A part of what the tool of each quick start returns. */
const inResult = 'order-2 damaged';
export const answer = 'Order 2 is damaged.';

/** The thread that a program left in its project. */
export interface Recorded {
  id: string;
  /** What its messages are, in order. */
  steps: string[];
}

/** Returns the only thread of a project. Throws when it does not hold a conversation from question to answer. */
export async function recordedIn(project: { url: string; key: string }, calls: boolean): Promise<Recorded> {
  const api = apiOf(project);
  const { body: threads } = await api.call<Schemas['ThreadList']>('GET', '/v1/threads');
  if (threads.data.length !== 1)
    throw new Error(`The project has ${threads.data.length} threads instead of one.`);
  const { id } = threads.data[0]!;
  const path = `/v1/threads/${encodeURIComponent(id)}/messages?view=original`;
  const { body: messages } = await api.call<Schemas['MessageList']>('GET', path);
  const steps = messages.data.flatMap(({ format, message }) => {
    const { role, parts } = formats[format].read(message);
    return parts.map((part) => stepOf(role, part));
  });
  const whole = calls ? ['question', 'call', 'result', 'answer'] : ['question', 'answer'];
  const conversation = steps.filter((step) => step !== 'system');
  if (conversation.join() !== whole.join())
    throw new Error(`Thread ${id} has ${steps.join(', ') || 'no messages'} instead of ${whole.join(', ')}.`);
  return { id, steps: conversation };
}

function stepOf(role: string, part: Part): string {
  if (part.type === 'call') return part.name === toolName ? 'call' : `a call of ${part.name}`;
  if (part.type === 'result')
    return JSON.stringify(part.parts).includes(inResult) ? 'result' : 'another result';
  if (part.type !== 'text') return `${role} ${part.type}`;
  if (role === 'system' || role === 'developer') return 'system';
  if (role === 'user') return question.test(part.text) ? 'question' : 'another question';
  return part.text === answer ? 'answer' : 'another answer';
}
