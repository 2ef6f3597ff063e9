import { callsWithResults } from '../messages/calls-with-results.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { parseJsonExactly, writeJsonExactly } from '../outputs/preview/json/parse-exactly.js';
import { clipAtWord } from '../compaction/summary-line.js';
import type { Item } from './item.js';
import { failingLines } from './outcomes/failing-lines.js';
import { onlyReads } from './only-reads.js';
import {
  exitCodeOf,
  isMissing,
  printedIn,
  reasonIn,
  statesFailure,
  statesRefusal,
} from './outcomes/outcome.js';
import { wordsAroundCall, type WordsAroundCall } from './words-around-call.js';
import { weights } from './weights.js';

const shell = /^(?:bash|shell|sh|exec|execute|run|terminal|run_command|execute_bash|cmd|powershell)(?:$|_)/i;
/** Shell commands that change something. Sets of words, so that the test is linear. */
const changes =
  /(?:^|[;&|]\s*)(?:sudo )?(?:git (?:commit|push|checkout -b|switch -c|merge|rebase|tag|reset|rm|mv|revert|stash|cherry-pick)|(?:rm|mv|cp|mkdir|touch|chmod|ln) |(?:npm|pnpm|yarn|pip|cargo|go) (?:i|install|add|remove|publish|uninstall)\b|sed -i|docker (?:build|run|rm|push)|kubectl (?:apply|delete|scale|rollout))|[^<>=&|\d]>{1,2} ?(?!\/dev\/|&)[\w./~-]+/g;
const editor = /(?:edit|write|create|replace|patch|insert)/i;
const filePath = ['path', 'file_path', 'file', 'filename', 'target_file', 'filePath'] as const;

interface Tried {
  seq: number;
  call: SeqMessage['calls'][number];
  text: string;
  /** The words of the agent about it. */
  words: WordsAroundCall;
  result: SeqMessage['results'][number];
  /** The file that it wrote. */
  file: string | null;
  /** A command of a shell that ends with what it changes: its failure is that of the change. */
  endsInChange: boolean;
}

/**
 * Calls that changed something, in short: `cancel_reservation(reservation_id: HSR97W)`; a file that was written
 * several times once. A call that failed changed nothing.
 */
export function effectsIn(messages: readonly SeqMessage[]): Item[] {
  const files = new Map<string, Item & { times: number }>();
  const items: Item[] = [];
  for (const tried of triedIn(messages)) {
    if (hasFailed(tried)) continue;
    const { seq, text, words, result, file } = tried;
    if (file !== null) {
      const times = (files.get(file)?.times ?? 0) + 1;
      files.set(file, { seq, text: writtenFile(file, times), weight: weights.state.effect, times });
      continue;
    }
    const output = /\bout_[0-9a-f]{32}\b/.exec(result.text.slice(0, 4_000))?.[0];
    const came = [words.after, output].filter((one) => one !== undefined && one !== null).join(' ');
    items.push({ seq, text: came === '' ? text : `${text} -> ${came}`, weight: weights.state.effect });
  }
  return [...items, ...[...files.values()].map(({ times: _, ...item }) => item)].sort(
    (a, b) => a.seq - b.seq,
  );
}

/**
 * Characters of a refused call. What it tried is told by its begin; long arguments would take the room of the reason in
 * the line of a closed task, and a task that was refused twice would keep the reason of its first try alone.
 */
const maxRefusedCall = 90;

/**
 * Calls that were to change something and failed, with the reason, unless the same call went through later. Of a file
 * whose writing failed only where no line of the result is a failure that is quoted anyway.
 */
export function refusalsIn(messages: readonly SeqMessage[]): Item[] {
  const wentThrough = new Set<string>();
  const newestFirst: Item[] = [];
  for (const tried of triedIn(messages).reverse()) {
    const { seq, call, text, result, file } = tried;
    const key = `${call.name} ${call.input}`;
    if (!hasFailed(tried)) wentThrough.add(key);
    else if (
      !wentThrough.has(key) &&
      (file === null || failingLines(result.text, result.isError).length === 0)
    ) {
      const isCommand = shell.test(call.name);
      const what = clipAtWord(file === null ? text : `${call.name}(${file})`, maxRefusedCall);
      const reason = clipAtWord(reasonIn(result.text, isCommand), 140);
      newestFirst.push({
        seq,
        text: `${what} ${isCommand ? 'failed' : 'refused'}: ${reason}`,
        weight: weights.discovery.refusal,
      });
    }
  }
  return newestFirst.reverse();
}

/** Whether a line of a summary says of a change that it was refused or failed. */
export const isRefusal = (line: string): boolean => / refused: |^\$ .* failed: /.test(line);

const written = /^wrote (.+?)(?: x(\d+))?$/;
const writtenFile = (file: string, times: number): string => `wrote ${file}${times > 1 ? ` x${times}` : ''}`;

/** Effects of an earlier summary and newer ones: a file is named once, with all of its changes. */
export function joinEffects(prior: readonly Item[], newer: readonly Item[]): Item[] {
  const times = new Map<string, number>();
  for (const { text } of [...prior, ...newer]) {
    const [, file, n] = written.exec(text) ?? [];
    if (file !== undefined) times.set(file, (times.get(file) ?? 0) + Number(n ?? 1));
  }
  const again = new Set(newer.map(({ text }) => written.exec(text)?.[1]));
  return [...prior.filter(({ text }) => !again.has(written.exec(text)?.[1] ?? '')), ...newer].map((item) => {
    const file = written.exec(item.text)?.[1];
    return file === undefined ? item : { ...item, text: writtenFile(file, times.get(file) ?? 1) };
  });
}

function triedIn(messages: readonly SeqMessage[]): Tried[] {
  return callsWithResults(messages).flatMap(({ call, at, result }) => {
    const effect = result && !isMissing(result) ? effectOf(call.name, call.input) : null;
    if (!result || !effect) return [];
    const words = wordsAroundCall(messages, at, call.input);
    return [{ seq: messages[at]!.seq, call, result, ...effect, text: words.before ?? effect.text, words }];
  });
}

/** Where more follows the change of a command, its exit code and its last lines may be those of what follows. */
function hasFailed({ call, result, endsInChange }: Tried): boolean {
  if (shell.test(call.name) && !endsInChange) return statesRefusal(result);
  const isStatement = shell.test(call.name) || isShort(result.text);
  return statesFailure(result, call) || (isStatement && endsInFailure(result.text, call.input));
}

/** A longer result shows what there is now. */
const linesOfStatement = 3;

/** Whether a result can only be a statement: "Could not cancel A-100: it is delivered." */
const isShort = (text: string): boolean =>
  !/^\s*[{[]/.test(text) && text.length <= 1_000 && text.trim().split('\n').length <= linesOfStatement;

/** Lines at the end of an output among which a command says why it failed; those before them may be warnings. */
const lastLines = 12;

/** Whether the end of what a call printed says that it failed. Lines that repeat its arguments say nothing. */
function endsInFailure(text: string, input: string): boolean {
  const lines = printedIn(text).slice(-4_000).trimEnd().split('\n').slice(-lastLines);
  if (/^\W*success/i.test(lines.at(-1)!)) return false;
  const end = exitCodeOf(text) === 0 ? ['[exit code 0]'] : [];
  const repeated = passages(input);
  const own = lines.filter((line) => !repeated.some((passage) => line.includes(passage)));
  return failingLines([...own, ...end].join('\n'), false).length > 0;
}

/** Words among a call's arguments that a result may repeat: what stands between quotes, by lines. A path is none. */
const passages = (input: string): string[] =>
  input
    .slice(0, 4_000)
    .split(/\\?["']|\\n/)
    .map((passage) => passage.trim())
    .filter((passage) => passage.length >= minPassage && passage.includes(' '));
const minPassage = 12;

/** Types of arguments that are short as a text. */
const printedTypes: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean']);

/** The call of a tool that changes something, in short; null for a tool that only reads. */
function effectOf(name: string, input: string): Pick<Tried, 'text' | 'file' | 'endsInChange'> | null {
  if (onlyReads(name)) return null;
  const json = input.length < 200_000 ? parseJsonExactly(input)?.value : undefined;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const args = json as Record<string, unknown>;
  if (shell.test(name)) {
    const command = args.command ?? args.cmd ?? args.script;
    return typeof command === 'string' && command.slice(0, 2_000).search(changes) >= 0
      ? { text: `$ ${clipAtWord(command, 120)}`, file: null, endsInChange: endsInChange(command) }
      : null;
  }
  if (args.command === 'view') return null;
  const path = editor.test(name)
    ? filePath.map((key) => args[key]).find((one) => typeof one === 'string')
    : undefined;
  if (typeof path === 'string' && path.length <= 200)
    return { text: `wrote ${path}`, file: path, endsInChange: false };
  const texts = Object.entries(args).flatMap(([key, value]) => {
    if (!printedTypes.has(typeof value)) return [];
    const text = String(value);
    return text.length <= 120 && !text.includes('\n') ? [`${key}: ${text}`] : [];
  });
  const nested = Object.entries(args)
    .filter(([, value]) => typeof value === 'object' && value !== null)
    .map(([key, value]) => `${key}: ${clipAtWord(writeJsonExactly(value), 80)}`);
  const text = clipAtWord(`${name}(${[...texts, ...nested].join(', ')})`, 200);
  return { text, file: null, endsInChange: false };
}

/** After a change: what its output goes through, and commands that say nothing of their own that could be a failure. */
const filters = /^(?:head|tail|tee|sort|cat|wc)\b/;
const harmless = /^(?:echo|printf|true|sleep|pwd|wc|ls|git status)\b/;
const quoted = /"[^"]*"|'[^']*'/g;
const nextCommand = /([;&|\n]+)\s*([a-z./][\w./-]*(?: [\w-]+)?)/gi;

/** Whether nothing follows the last change of a command that could fail in its place. */
function endsInChange(command: string): boolean {
  if (command.length > 2_000) return false;
  const last = [...command.matchAll(changes)].at(-1);
  const rest = last ? command.slice(last.index + last[0].length).replace(quoted, '') : '';
  return [...rest.matchAll(nextCommand)].every(([, mark, program = '']) =>
    (mark === '|' ? filters : harmless).test(program),
  );
}

/** An agent says what came of its work: "I have cancelled ...", "67 tests pass". */
const effect =
  /\b(?:(?:has|have) been|successfully|cancel+ed|booked|refund(?:ed)?|updated|created|committed|merged|pushed|fixed|deleted|removed|added|installed|renamed|moved|passe?[sd]?|completed?|deployed|sent|charged|approved|rejected|denied|green|clean)\b/i;

export const statesEffect = (sentence: string): boolean => effect.test(sentence);
