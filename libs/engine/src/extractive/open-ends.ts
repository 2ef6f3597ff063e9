import { callsWithResults, type CallWithResult } from '../messages/calls-with-results.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { parseJson } from '../outputs/preview/json/parse-json.js';
import { clipAtWord } from '../compaction/summary-line.js';
import type { Item } from './item.js';
import { isAgreement, isPoliteness, isShortRefusal } from './politeness.js';
import { sentencesOf } from './sentences.js';
import { isIntention } from './statements.js';
import { userRefusals } from './user-refusals.js';
import { weights } from './weights.js';

/** An item of a checklist: open, in progress, done or cancelled. */
const checkbox = /^\s*[-*] \[([ .xX~-])\]\s+(\S.*)/;
const openMarks = ' .';
const plan =
  /\b(?:next(?! (?:day|week|month|year|morning|flight|to)\b)|then i|i(?:['’]ll| will)|we(?:['’]ll| will)|let me|need to|(?:todo|plan)(?![./]\w)|remaining|left to do|follow[- ]?up|after that|going to|pending|waiting for|blocked)\b/i;
/** A heading, or what ends in a colon: the plan is what follows. */
const announcement = /^#{1,6} |:$/;

/**
 * What is not done yet: the newest todo list or plan, calls without a result, a request that nothing answered, and
 * what the agent last said that it would do. What the user refused is not to be done.
 */
export function openEndsOf(messages: readonly SeqMessage[]): Item[] {
  const { stoppedAt, plannedIn } = refusedIn(messages);
  return [
    ...newestTodo(messages).filter(({ seq }) => seq > stoppedAt && !plannedIn.has(seq)),
    ...unansweredCalls(messages),
    ...unansweredRequest(messages),
    ...intentionsOf(messages.filter(({ seq }) => seq > stoppedAt && !plannedIn.has(seq))),
  ];
}

/** The last message at which the user stopped the work, and those that asked to go ahead and got a no. */
function refusedIn(messages: readonly SeqMessage[]): { stoppedAt: number; plannedIn: ReadonlySet<number> } {
  const refusals = userRefusals(messages).filter(({ refusesWork }) => refusesWork);
  return {
    stoppedAt: refusals.findLast(({ question }) => question === null)?.line.seq ?? 0,
    plannedIn: new Set(refusals.flatMap(({ question }) => question?.seq ?? [])),
  };
}

/**
 * Next steps of an earlier summary that newer messages do not settle: todos without a newer list, a request without an
 * answer, calls without a result, and what the agent was about to do when it has said nothing since. A user who stops
 * the work settles all but the calls.
 */
export function stillOpen(earlier: readonly Item[], messages: readonly SeqMessage[]): Item[] {
  const hasNewerList = messages.some((message) => todoListOf(message) !== null);
  const isStopped = refusedIn(messages).stoppedAt > 0;
  const isAnswered = messages.some(isAnswer);
  const isSettled = settledCalls(earlier, messages);
  const hasGoneOn = messages.some(({ role, text }) => role === 'assistant' && text.trim() !== '');
  return earlier.filter(
    ({ text }) =>
      !((hasNewerList || isStopped) && text.startsWith(todoHead)) &&
      !((isAnswered || isStopped) && text.endsWith(unansweredMark)) &&
      !isSettled(text) &&
      !((hasGoneOn || isStopped) && isIntention(text)),
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
    const list = isTodoTool(name) ? listIn(parseJson(input.slice(0, 100_000))?.value) : null;
    if (list) return list;
  }
  return null;
}

/**
 * Names of tools for todos, as words between spaces. Other tools have plans too, of prices or routes, so a plan is a
 * list of todos by one name alone.
 */
const todoWords = / (?:todo(?!ist)[a-z]*|checklists?|task ?lists?|update plan) /;
/** Keys of the list in the arguments of such a tool. */
const listKey = /^ (?:todos?|tasks?|items?|steps|plan|list|entries|checklist|(?:todo|task) ?list) $/;

const isTodoTool = (name: string): boolean => todoWords.test(wordsOf(name.slice(0, 200)));

/** ` write todo list ` of `writeTodoList` and of `write_todo_list`. */
const wordsOf = (name: string): string =>
  ` ${name
    .replace(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()} `;

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

/**
 * The items of the list that the arguments of a call are, or have under a key for one. Null where there is none; an
 * emptied one has no items.
 */
function listIn(value: unknown): TodoItem[] | null {
  if (Array.isArray(value)) return itemsOf(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, list] of Object.entries(value)) {
    const items = Array.isArray(list) && listKey.test(wordsOf(key.slice(0, 40))) ? itemsOf(list) : null;
    if (items) return items;
  }
  return null;
}

function itemsOf(list: readonly unknown[]): TodoItem[] | null {
  const items = list.flatMap((item) => itemOf(item) ?? []);
  return items.length === 0 && list.length > 0 ? null : items;
}

function itemOf(value: unknown): TodoItem | null {
  if (typeof value !== 'object' || value === null) return null;
  const { content, text, title, task, step, done, status } = value as Record<string, unknown>;
  const words = content ?? text ?? title ?? task ?? step;
  if (typeof words !== 'string') return null;
  const isClosed = done === true || (typeof status === 'string' && closedStatus.test(status));
  return { text: words, isOpen: !isClosed };
}

const noResultHead = 'no result yet: ';
const noResultLine = ({ name, input }: CallWithResult['call']): string =>
  `${noResultHead}${name}(${clipAtWord(input, 100)})`;

/** Calls without a result, without those that were made again and have one then. */
function unansweredCalls(messages: readonly SeqMessage[]): Item[] {
  const calls = callsWithResults(messages);
  /** The newest message that makes the same call and gets a result for it, by its place. */
  const answeredAt = new Map(
    calls.filter(({ result }) => result !== null).map(({ call, at }) => [sameCall(call), at]),
  );
  return calls
    .filter(({ call, at, result }) => result === null && at >= (answeredAt.get(sameCall(call)) ?? 0))
    .map(({ call, at }) => ({
      seq: messages[at]!.seq,
      text: noResultLine(call),
      weight: weights.next.unanswered,
    }));
}

const sameCall = ({ name, input }: CallWithResult['call']): string => `${name} ${input}`;

/**
 * Tells which lines of calls without a result newer messages settle: the same call has one, or its result came late. A
 * line has no id, so late results count once there are as many as lines that they may belong to.
 */
function settledCalls(earlier: readonly Item[], messages: readonly SeqMessage[]): (text: string) => boolean {
  const open = earlier.filter(({ text }) => text.startsWith(noResultHead)).map(({ text }) => text);
  if (open.length === 0) return () => false;
  const again = new Set(
    callsWithResults(messages)
      .filter(({ result }) => result !== null)
      .map(({ call }) => noResultLine(call)),
  );
  const waiting = open.filter((text) => !again.has(text));
  const late = lateResults(messages);
  const toolOf = (text: string): string => text.slice(noResultHead.length, text.indexOf('('));
  const hasAll = (lines: readonly string[], tool: string | null): boolean =>
    late.filter(({ name }) => name === tool).length >= lines.length;
  return (text) =>
    again.has(text) ||
    (waiting.includes(text) &&
      (hasAll(waiting, null) ||
        hasAll(
          waiting.filter((one) => toolOf(one) === toolOf(text)),
          toolOf(text),
        )));
}

/** Results whose call is in none of these messages before them, one for each id. */
function lateResults(messages: readonly SeqMessage[]): SeqMessage['results'] {
  const called = new Set<string>();
  const late = new Map<string, SeqMessage['results'][number]>();
  for (const { calls, results } of messages) {
    for (const { id } of calls) called.add(id);
    for (const result of results) if (!called.has(result.id)) late.set(result.id, result);
  }
  return [...late.values()];
}

/** The newest request, when the agent has not spoken since without going on to work, and the user has not refused it. */
function unansweredRequest(messages: readonly SeqMessage[]): Item[] {
  const at = messages.findLastIndex(
    ({ role, speech }) => role === 'user' && speech.trim() !== '' && !isAgreement(speech),
  );
  const since = messages.slice(at + 1);
  if (at < 0 || isShortRefusal(messages[at]!.speech) || since.some(isAnswer)) return [];
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
