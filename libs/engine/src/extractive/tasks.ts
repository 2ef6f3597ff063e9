import { participantOf } from '../messages/participant.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { effectsIn, isRefusal, refusalsIn } from './effects.js';
import { identifierPatterns, isIdentifier, withoutStop } from '../ledger/identifiers.js';
import { parseQuote, renderQuote } from '../compaction/quote.js';
import { clipAtWord, parseLines, type SummaryLine } from '../compaction/summary-line.js';
import type { SummaryFields } from '../compaction/summary.js';
import type { Item } from './item.js';
import { isAgreement, isShortRefusal } from './politeness.js';
import { statementsBy } from './statements.js';
import { refusalItems, refusedByUser, userRefusals, type UserRefusal } from './user-refusals.js';
import { weights } from './weights.js';

/** A task of one user, from the message that began it to the one before the next. */
interface Task {
  requests: SeqMessage[];
  messages: SeqMessage[];
}

/** Lines of an earlier summary that belong to its open task. */
export interface OpenTask {
  requests: readonly Item[];
  refusals: readonly UserRefusal[];
  effects: readonly SummaryLine[];
  statements: readonly SummaryLine[];
}

export interface Tasks {
  /** Closed tasks in a line each, then the requests of the open one. */
  items: Item[];
  /** A task of these messages, or of the earlier summary, was closed. */
  hasClosed: boolean;
  /** Where the open task begins; 0 when the earlier summary began it. */
  openFrom: number;
}

/** Somebody begins anew: a greeting, or a name, at the start of a message. A word after "this is" is a name if capital. */
const greeting = /^\W*(?:hi|hello|hey|good (?:day|morning|afternoon|evening)|greetings|dear)\b/i;
const givesName = /^.{0,60}\b(?:[Tt]his is (\p{Lu}\p{L}+)|[Mm]y name is (\p{L}+))/u;
/** Somebody else takes over, or the user is done. */
const farewell =
  /###stop###|\b(?:goodbye|bye|transfer successful|that(?:['’]s| is|['’]ll be| was) (?:all|everything)|you(?:['’]re| are) welcome|take your time|have a (?:great|nice|good|safe|wonderful)\b)/i;
const thanks = /\b(?:thanks?|thank you|bye)\b/i;
const takesLeave = (speech: string): boolean =>
  farewell.test(speech.slice(0, 400)) || (isAgreement(speech) && thanks.test(speech));

/**
 * The tasks of a range in the users' words. The last one is open: its requests are quoted. One that was closed
 * before it shrinks to a line with what came of it.
 */
export function tasksOf(messages: readonly SeqMessage[], prior: OpenTask): Tasks {
  const { continued, begun, goodbye } = splitTasks(messages, prior);
  const before = prior.requests[0];
  const open = begun.at(-1);
  if (!open) {
    const isFirst = before === undefined;
    const requests = continued.requests.map((message, i) => requestOf(message, i, continued, isFirst));
    return {
      items: [
        ...prior.requests.map((item, i) => ({ ...item, keep: i === 0 })),
        ...requests,
        ...refusalItems([...prior.refusals, ...userRefusals(continued.messages)]),
        ...goodbye,
      ],
      hasClosed: false,
      openFrom: 0,
    };
  }
  const first =
    before === undefined ? closedTask(continued) : closedBefore(before, prior, continued.messages);
  return {
    items: [
      ...(first ? [first] : []),
      ...begun.slice(0, -1).flatMap((task) => closedTask(task) ?? []),
      ...open.requests.map((message, i) => requestOf(message, i, open, true)),
      ...refusalItems(userRefusals(open.messages)),
      ...goodbye,
    ],
    hasClosed: first !== null || begun.length > 1,
    openFrom: open.messages[0]!.seq,
  };
}

interface Split {
  /** The messages that continue the open task of the earlier summary, or no task. */
  continued: Task;
  /** The tasks that begin after it. */
  begun: Task[];
  /** The words with which the user left at the end, where no request has them: the next fold sees by them that it ended. */
  goodbye: Item[];
}

/** A greeting begins a task where the one before it has ended, or where there was none. */
function splitTasks(messages: readonly SeqMessage[], prior: OpenTask): Split {
  const continued: Task = { requests: [], messages: [] };
  const begun: Task[] = [];
  let isNew: boolean = prior.requests.length === 0;
  let hasEnded: boolean = !isNew && wasLeft(prior);
  let last: SeqMessage | null = null;
  for (const message of messages) {
    const { speech } = message;
    const isUser: boolean = message.role === 'user' && speech.trim() !== '';
    const isRequest: boolean = isUser && !isAgreement(speech) && !isShortRefusal(speech);
    const greets: boolean = greeting.test(speech) || givesName.test(speech);
    const begins: boolean =
      isUser && greets && (isNew || hasEnded || (last === null && isSomebodyElse(speech, prior)));
    if (begins) begun.push({ requests: [], messages: [] });
    const task = begun.at(-1) ?? continued;
    if (isRequest) task.requests.push(message);
    task.messages.push(message);
    if (isUser) {
      hasEnded = takesLeave(speech) || (hasEnded && !begins);
      isNew &&= !isRequest;
      last = message;
    } else if (message.role === 'tool') {
      hasEnded = farewell.test(message.text.slice(0, 400));
    } else if (message.calls.length === 0) hasEnded ||= farewell.test(message.text.slice(-400));
  }
  const isGoodbye = hasEnded && last !== null && isAgreement(last.speech) && takesLeave(last.speech);
  return {
    continued,
    begun: begun.filter(({ requests }) => requests.length > 0),
    goodbye: isGoodbye ? [goodbyeOf(last!)] : [],
  };
}

/** Whether the user took leave with the last words that an earlier summary quotes, and nothing was done after them. */
function wasLeft({ requests, effects, statements }: OpenTask): boolean {
  const last = requests.at(-1)!;
  return (
    takesLeave(parseQuote(last.text)?.words ?? last.text) &&
    [...effects, ...statements].every(({ seq }) => seq <= last.seq)
  );
}

/** Whether the first words of a fold name another person than the task that is open: how that one ended is not seen. */
function isSomebodyElse(speech: string, { requests }: OpenTask): boolean {
  const [, given, called] = (greeting.test(speech) && givesName.exec(speech)) || [];
  const name = (given ?? called)?.toLowerCase();
  return name !== undefined && !requests.some(({ text }) => text.toLowerCase().includes(name));
}

function goodbyeOf(message: SeqMessage): Item {
  return {
    seq: message.seq,
    text: quoteOfUser(message, requestChars.further),
    weight: weights.task.further,
    keep: true,
  };
}

/** A request of the open task. The one that began it is the task: it always stays. */
function requestOf(message: SeqMessage, i: number, { requests }: Task, isFirst: boolean): Item {
  const { seq } = message;
  if (i === 0 && isFirst)
    return { seq, text: quoteOfUser(message, requestChars.began), weight: weights.task.began, keep: true };
  const weight = weights.task.further + (weights.task.newer * i) / requests.length;
  return { seq, text: quoteOfUser(message, requestChars.further), weight, keep: false };
}

/** Characters of an open request that are quoted. */
const requestChars = { began: 400, further: 200 } as const;

function quoteOfUser(message: SeqMessage, chars: number): string {
  const words = clipAtWord(message.speech, chars);
  return renderQuote({ role: 'user', participant: participantOf(message), words });
}

function closedTask({ requests, messages }: Task): Item | null {
  const first = requests[0];
  if (!first) return null;
  return closedLineOf({
    seq: first.seq,
    request: first.speech,
    others: requests.map(({ speech }) => speech),
    outcomes: [...refusedByUser(userRefusals(messages)), ...outcomesOf(messages)],
    last: saidLast(messages),
  });
}

/** The task that an earlier summary left open and that these messages went on with. */
function closedBefore(request: SummaryLine, prior: OpenTask, messages: readonly SeqMessage[]): Item {
  const users = messages.filter(({ role, speech }) => role === 'user' && speech.trim() !== '');
  const since = (lines: readonly SummaryLine[]): string[] =>
    lines.filter(({ seq }) => seq >= request.seq).map(({ text }) => text);
  const refused = since(prior.statements).filter(isRefusal);
  return closedLineOf({
    seq: request.seq,
    request: parseQuote(request.text)?.words ?? request.text,
    others: [...prior.requests.slice(1).map(({ text }) => text), ...users.map(({ speech }) => speech)],
    outcomes: [
      ...refusedByUser([...prior.refusals, ...userRefusals(messages)]),
      ...since(prior.effects),
      ...refused,
      ...outcomesOf(messages),
    ],
    last: saidLast(messages) ?? since(prior.statements).at(-1) ?? null,
  });
}

interface ClosedTask {
  seq: number;
  /** The first request of the user. */
  request: string;
  /** All that the user wrote in it, for the identifiers that were given later. */
  others: readonly string[];
  /** Refusals of the user, then changes and refused calls in order. Only the last ones are shown. */
  outcomes: readonly string[];
  /** The last finding of the agent, which replaces an outcome where there is none. */
  last: string | null;
}

/** A line that says of a closed task what was asked, by whom, and what came of it. */
function closedLineOf({ seq, request, others, outcomes, last }: ClosedTask): Item {
  const came = [...new Set(outcomes.map(withoutKeys))].slice(-3).join('; ');
  const quote = clipAtWord(askedIn(request), came === '' ? quoted.alone : quoted.withOutcome);
  const head = came === '' ? closedWithoutChange : closedWithChange;
  const end = came === '' ? (last ?? '') : came;
  const text = `${head}"${quote}"${namesIn(others, quote)}${end === '' ? '' : ` -> ${clipAtWord(end, maxOutcome)}`}`;
  return { seq, text, weight: weightOfClosed(text) };
}

/** Characters of a request that a closed task's line quotes: what came of it says the rest. */
const quoted = { alone: 120, withOutcome: 100 } as const;
/** The same of a task that an earlier fold closed. */
const quotedLater = { alone: 60, withOutcome: 30 } as const;
const maxOutcome = 220;
const closedWithChange = 'closed: ';
const closedWithoutChange = 'closed, nothing changed: ';

export const isClosed = (line: string): boolean => /^closed(?:, nothing changed)?: /.test(line);

/** Whether a summary by code has the line of a closed task, so that its narrative had more room. */
export const namesClosedTasks = ({ task_overview = '' }: SummaryFields): boolean =>
  parseLines(task_overview).some(({ text }) => isClosed(text));

export const weightOfClosed = (line: string): number =>
  line.startsWith(closedWithChange) ? weights.task.closedWithChange : weights.task.closedWithoutChange;

/**
 * The line of a task that an earlier fold closed, with less of its request: who asked and for what is told by its
 * begin, and what came of it is asked about longer.
 */
export function shortenClosed(line: string): string {
  const [, head = '', quote = '', end = ''] = closedLine.exec(line) ?? [];
  if (head === '') return line;
  const chars = head === closedWithChange ? quotedLater.withOutcome : quotedLater.alone;
  const words = quote.replace(/ \.\.\.$/, '');
  return words.length <= chars ? line : `${head}"${clipAtWord(words, chars)}"${end}`;
}

/** Its head, its quote, and what follows: names in brackets, and what came of it. */
const closedLine = /^(closed(?:, nothing changed)?: )"(.*?)"((?: \([^()]*\))?(?: -> .*)?)$/s;

const salutation =
  /^\W*(?:hi|hello|hey)(?: there| again)?[,!.]*\s+|^good (?:day|morning|afternoon|evening)[,!.]*\s+/i;
const introduction =
  /^(?:[Mm]y name is|(?:[Tt]his is|[Ii] am|[Ii]['’]m)(?=(?: \p{Lu}\p{L}+){1,3}[.,;])) (\p{L}+(?: \p{L}+){0,2})[.,;]\s+/u;

/** Without the greeting: "Mira Keller: I would like my money back". */
const askedIn = (text: string): string => text.replace(salutation, '').replace(introduction, '$1: ');

/** `change_size(FF-100543, line: 1, 42)`: a name or a text says what it is, a small number does not. */
const withoutKeys = (outcome: string): string =>
  outcome.replace(/(?<=[(,] ?)\w+: (?!\d{1,3}[,)]|true\b|false\b|[[{])/g, '');

/** Changes and refused calls, in order. */
const outcomesOf = (messages: readonly SeqMessage[]): string[] =>
  [...effectsIn(messages), ...refusalsIn(messages)].sort((a, b) => a.seq - b.seq).map(({ text }) => text);

/** The last that the agent found. */
function saidLast(messages: readonly SeqMessage[]): string | null {
  const last = statementsBy(messages, 1).at(-1);
  return last ? clipAtWord(last.text, 120) : null;
}

/** The identifiers that the user gave later: a customer's number, an order. */
function namesIn(texts: readonly string[], quote: string): string {
  const given = texts
    .flatMap((text) => text.slice(0, 2_000).match(identifierPatterns.name) ?? [])
    .map(withoutStop)
    .filter((value) => isIdentifier(value) && !quote.includes(value));
  const names = [...new Set(given)].slice(0, 3);
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
