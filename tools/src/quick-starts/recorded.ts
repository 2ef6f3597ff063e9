import type { Schemas } from '@spillway/client';
import { formats, withoutProgramText, type Part } from '@spillway/engine';
import { apiOf } from '@spillway/testing';
import type { Conversation } from './conversations.js';

/** The thread that a program left in its project. */
export interface Recorded {
  id: string;
  /** What its messages are, in order. */
  steps: string[];
}

/** What frameworks and models add to a conversation. */
const beside = ['system', 'reminder', 'reasoning'];

/** Returns the only thread of a project. Throws when it does not hold the conversation from question to answer. */
export async function recordedIn(
  project: { url: string; key: string },
  conversation: Conversation,
): Promise<Recorded> {
  const api = apiOf(project);
  const { body: threads } = await api.call<Schemas['ThreadList']>('GET', '/v1/threads');
  if (threads.data.length !== 1)
    throw new Error(`The project has ${threads.data.length} threads instead of one.`);
  const { id } = threads.data[0]!;
  const path = `/v1/threads/${encodeURIComponent(id)}/messages?view=original`;
  const { body: messages } = await api.call<Schemas['MessageList']>('GET', path);
  const steps = messages.data.flatMap(({ format, message }) => {
    const { role, parts } = formats[format].read(message);
    return parts.map((part) => stepOf(role, part, conversation));
  });
  const whole = conversation.call ? ['question', 'call', 'result', 'answer'] : ['question', 'answer'];
  const spoken = steps.filter((step) => !beside.includes(step));
  if (spoken.join() !== whole.join())
    throw new Error(`Thread ${id} has ${steps.join(', ') || 'no messages'} instead of ${whole.join(', ')}.`);
  return { id, steps: spoken };
}

function stepOf(role: string, part: Part, { question, call, answer }: Conversation): string {
  if (part.type === 'call') return part.name === call?.tool ? 'call' : `a call of ${part.name}`;
  if (part.type === 'result')
    return call && JSON.stringify(part.parts).includes(call.inResult) ? 'result' : 'another result';
  if (role === 'system' || role === 'developer') return 'system';
  if (part.type === 'reasoning') return 'reasoning';
  if (part.type !== 'text') return `${role} ${part.type}`;
  // Coding agents put them before a question.
  if (role === 'user' && withoutProgramText(part.text) === '') return 'reminder';
  if (role === 'user') return question.test(part.text) ? 'question' : 'another question';
  return part.text === answer ? 'answer' : 'another answer';
}
