import type { SeqMessage } from '../messages/seq-message.js';
import { effectsIn } from './effects.js';
import { oneLine, type Item } from './item.js';
import { isAgreement } from './politeness.js';

/** What one user wanted, from the message that began it to the one before the next. */
interface Task {
  requests: SeqMessage[];
  messages: SeqMessage[];
}

/** Somebody begins anew: a greeting at the start of a message. */
const greeting = /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|dear)\b/i;
/** Somebody else takes over, or the user is done. */
const farewell = /\b(?:goodbye|bye|###stop###|transfer successful|that(?:['’]s| is) (?:all|everything))\b/i;

/**
 * The tasks of a range in the users' words. The last one is open: its requests are quoted. One that was closed
 * before it shrinks to a line with its effects.
 */
export function tasksOf(messages: readonly SeqMessage[]): Item[] {
  const tasks = splitTasks(messages);
  return tasks.flatMap((task, i) => (i === tasks.length - 1 ? openTask(task) : [closedTask(task)]));
}

function splitTasks(messages: readonly SeqMessage[]): Task[] {
  const tasks: Task[] = [];
  let ended = true;
  for (const message of messages) {
    const isUser = message.role === 'user' && message.results.length === 0 && message.text.trim() !== '';
    const begins = isUser && (tasks.length === 0 || (ended && greeting.test(message.text)));
    if (begins) tasks.push({ requests: [], messages: [] });
    const task = tasks.at(-1);
    if (isUser && !isAgreement(message.text)) task?.requests.push(message);
    task?.messages.push(message);
    if (isUser || message.role === 'tool')
      ended = farewell.test(message.text.slice(0, 400)) || (isUser && ended);
    if (begins) ended = false;
    if (message.role === 'assistant' && message.calls.length === 0)
      ended ||= farewell.test(message.text.slice(-400));
  }
  return tasks.filter(({ requests }) => requests.length > 0);
}

const openTask = ({ requests }: Task): Item[] =>
  requests.map((message, i) => ({
    seq: message.seq,
    text: `user: "${oneLine(message.text, i === 0 ? 400 : 200)}"`,
    weight: i === 0 ? 3 : 1.5 + i / requests.length,
  }));

function closedTask({ requests, messages }: Task): Item {
  const first = requests[0]!;
  const effects = effectsIn(messages).map(({ text }) => text);
  const done = effects.length > 0 ? ` -> ${oneLine(effects.slice(-4).join('; '), 200)}` : '';
  return { seq: first.seq, text: `closed: "${oneLine(first.text, 90)}"${done}`, weight: 1 };
}
