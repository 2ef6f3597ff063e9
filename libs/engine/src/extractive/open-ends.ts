import { callsWithResults } from '../messages/calls-with-results.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { parseJson } from '../outputs/preview/json/parse-json.js';
import { clipAtWord } from '../compaction/summary-line.js';
import type { Item } from './item.js';
import { isAgreement, isPoliteness } from './politeness.js';
import { sentencesOf } from './sentences.js';
import { isIntention } from './statements.js';
import { weights } from './weights.js';

const todoTool = /todo|plan|task_?list|checklist/i;
/** An item of a checklist: open, in progress, done or cancelled. */
const checkbox = /^\s*[-*] \[([ .xX~-])\]\s+(\S.*)/;
const openMarks = ' .';
const plan =
  /\b(?:next(?! (?:day|week|month|year|morning|flight|to)\b)|then i|i(?:['’]ll| will)|we(?:['’]ll| will)|let me|need to|(?:todo|plan)(?![./]\w)|remaining|left to do|follow[- ]?up|after that|going to|pending|waiting for|blocked)\b/i;
/** A heading, or what ends in a colon: the plan is what follows. */
const announcement = /^#{1,6} |:$/;

/**
 * What is not done yet: the newest todo list or plan, calls without a result, a request that nothing answered, and
 * what the agent last said that it would do.
 */
export function openEndsOf(messages: readonly SeqMessage[]): Item[] {
  return [
    ...newestTodo(messages),
    ...unansweredCalls(messages),
    ...unansweredRequest(messages),
    ...intentionsOf(messages),
  ];
}

/**
 * Next steps of an earlier summary that newer messages do not settle: todos without a newer list, a request without an
 * answer, and what the agent was about to do when it has said nothing since.
 */
export function stillOpen(earlier: readonly Item[], messages: readonly SeqMessage[]): Item[] {
  const hasNewerList = messages.some((message) => todoListOf(message) !== null);
  const isAnswered = messages.some(isAnswer);
  const hasGoneOn = messages.some(({ role, text }) => role === 'assistant' && text.trim() !== '');
  return earlier.filter(
    ({ text }) =>
      !(hasNewerList && text.startsWith(todoHead)) &&
      !(isAnswered && text.endsWith(unansweredMark)) &&
      !(hasGoneOn && isIntention(text)),
  );
}

const todoHead = 'todo: ';
const unansweredMark = ' asks for what is not answered yet';
/** The agent spoke, without going on to work. */
const isAnswer = ({ role, calls }: SeqMessage): boolean => role === 'assistant' && calls.length === 0;

const maxTodos = 8;

function newestTodo(messages: readonly SeqMessage[]): Item[] {
  for (const message of [...messages].reverse()) {
    const list = todoListOf(message);
    if (!list) continue;
    const open = list.filter(({ isOpen }) => isOpen).slice(0, maxTodos);
    return open.map(({ text }) => ({
      seq: message.seq,
      text: `${todoHead}${clipAtWord(text, 120)}`,
      weight: weights.next.todo,
    }));
  }
  return [];
}

interface TodoItem {
  text: string;
  isOpen: boolean;
}

/** The todo list of a message, with nothing in it where it was emptied; null without one. */
const todoListOf = (message: SeqMessage): TodoItem[] | null => calledList(message) ?? writtenList(message);

/** The whole list that a todo tool was called with; null where no call has one, as those that only read it. */
function calledList({ calls }: SeqMessage): TodoItem[] | null {
  for (const { name, input } of calls) {
    const list = todoTool.test(name) ? itemsIn(parseJson(input.slice(0, 100_000))?.value) : null;
    if (list) return list;
  }
  return null;
}

/** The checklist in a text of the agent; null without one. */
function writtenList({ role, text }: SeqMessage): TodoItem[] | null {
  if (role !== 'assistant') return null;
  const items = text
    .slice(0, 20_000)
    .split('\n')
    .flatMap((line) => {
      const [, mark, words] = checkbox.exec(line) ?? [];
      return mark === undefined || words === undefined
        ? []
        : [{ text: words, isOpen: openMarks.includes(mark) }];
    });
  return items.length === 0 ? null : items;
}

/** Words of tools for an item with nothing left to do: `completed`, and not `incomplete`. */
const closedStatus = /^\W*(?:done|complete|finish|closed|resolved|cancel|skip|abandon|delete)/i;

/** The items of a list at any depth of a call's arguments. Null where there is no list; an emptied one has no items. */
function itemsIn(value: unknown): TodoItem[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value) && value.length === 0) return [];
  const { content, text, title, task, step, done, status } = value as Record<string, unknown>;
  const words = content ?? text ?? title ?? task ?? step;
  if (typeof words === 'string') {
    const isClosed = done === true || (typeof status === 'string' && closedStatus.test(status));
    return [{ text: words, isOpen: !isClosed }];
  }
  const lists = Object.values(value)
    .map(itemsIn)
    .filter((list) => list !== null);
  return lists.length === 0 ? null : lists.flat();
}

const unansweredCalls = (messages: readonly SeqMessage[]): Item[] =>
  callsWithResults(messages)
    .filter(({ result }) => result === null)
    .map(({ call: { name, input }, at }) => ({
      seq: messages[at]!.seq,
      text: `no result yet: ${name}(${clipAtWord(input, 100)})`,
      weight: weights.next.unanswered,
    }));

/** The newest request, when the agent has not spoken since without going on to work. */
function unansweredRequest(messages: readonly SeqMessage[]): Item[] {
  const at = messages.findLastIndex(
    ({ role, speech }) => role === 'user' && speech.trim() !== '' && !isAgreement(speech),
  );
  const since = messages.slice(at + 1);
  if (at < 0 || since.some(isAnswer)) return [];
  const { seq } = messages[at]!;
  return [{ seq, text: `message ${seq}${unansweredMark}`, weight: weights.next.unanswered }];
}

/** Only the newest of it is still a plan. */
function intentionsOf(messages: readonly SeqMessage[]): Item[] {
  return messages
    .slice(-10)
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ seq, text }) =>
      sentencesOf(text)
        .filter((one) => plan.test(one) && !isPoliteness(one) && !announcement.test(one))
        .slice(0, 2)
        .map((sentence) => ({ seq, text: clipAtWord(sentence, 160), weight: weights.next.intention })),
    )
    .slice(-4);
}
