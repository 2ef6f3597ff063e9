import { noResult } from '../../context/show-unit.js';
import { erasedText } from '../../formats/erased.js';
import type { SeqMessage } from '../../messages/seq-message.js';
import { parseJson } from '../../outputs/preview/json/parse-json.js';
import { exitCodeIn, isExitLine } from './exit-code.js';
import { failingLines } from './failing-lines.js';

type Fields = Record<string, unknown>;
type Call = SeqMessage['calls'][number];
type Result = SeqMessage['results'][number];

/** A field of JSON with such a name and nothing in it, as in `{"error":null,...}`, says that all went well. */
const beginsAsFailed =
  /^\W*(?:error|failed|failure|traceback|exception|invalid|not found|unauthori[sz]ed|forbidden)\b(?!"\s*:\s*(?:null|false|0|""|\[\s*\]|\{\s*\})\s*[,}])/i;
/** Nobody ran the call, or somebody stopped it: the first words of a line of agents' programs. */
const notRun = [
  /^(?:the )?(?:user|human|operator)\b.{0,20}\b(?:doesn['’]?t want|does not want|(?:did not|didn['’]?t) (?:want|allow|approve|permit|confirm|accept|grant)|rejected|denied|declined|refused|cancell?ed|interrupted|aborted|stopped|skipped)\b/i,
  /^(?:the )?tool (?:use|call|execution)\b.{0,60}\b(?:rejected|denied|declined|refused|cancell?ed|interrupted|aborted|skipped|not (?:run|executed|approved|allowed|permitted))\b/i,
  /^(?:(?:the )?(?:request|command|operation|execution|run|process|task|call) )?(?:was )?(?:interrupted|aborted|cancell?ed|rejected|denied|declined|stopped|skipped) by (?:the )?(?:user|human|operator)\b(?!['’]s|\s+request)/i,
];
/** Such words stand after a mark or a word of what follows, as in `[Cancelled] Reason: User did not allow it`. */
const beforeWords = [/^\W*/, /^[^:]{0,60}:\s*/];
/** The call goes on in the background: its outcome is not known yet. */
const goesOn =
  /\b(?:running|started|moved|launched|continu\w+|executing)\b.{0,40}\bbackground\b|\bstill running\b|\brunning with (?:session|process|pid|id)\b/i;
/** Longer lines are output, and no word of the program that ran the call. */
const maxStatement = 300;
const maxJson = 100_000;

/** Whether a result says that its call failed, was refused or was stopped. What the call itself said is no news. */
export function statesFailure(result: Result, call: Pick<Call, 'name' | 'input'>): boolean {
  if (statesRefusal(result)) return true;
  const fields = fieldsOf(result.text);
  return fields ? fieldsFail(fields, call) : (exitCodeIn(result.text) ?? 0) !== 0;
}

/** The same by how it begins and by its flag alone, whatever a command printed and ended with. */
export const statesRefusal = ({ text, isError }: Result): boolean =>
  isError || beginsAsFailed.test(text.slice(0, 200)) || ends(text).some(saysNotRun);

/** The exit code that a result states, in a line or as a field of JSON. */
export function exitCodeOf(text: string): number | null {
  const fields = fieldsOf(text);
  return fields ? (exitCodes(fields)[0] ?? null) : exitCodeIn(text);
}

/** A context says so in the place of a result; a caller may store it as one. */
export const isMissing = ({ text }: Result): boolean => text === noResult;

/** Whether a result leaves open what came of its call: it is missing or erased, or the call goes on. */
export const leavesOpen = (text: string): boolean =>
  text === erasedText || text === noResult || ends(text).some((line) => goesOn.test(line));

/** The output of a command, taken from the JSON in which a program wraps it with the exit code. */
export function printedIn(text: string): string {
  const fields = fieldsOf(text);
  return typeof fields?.output === 'string' && exitCodes(fields).length > 0 ? fields.output : text;
}

/** The words of a failure: the message of a JSON object, else the first line. Of a command the line that says it. */
export function reasonIn(text: string, isCommand: boolean): string {
  const fields = fieldsOf(text);
  if (fields) {
    const errors = Array.isArray(fields.errors) ? (fields.errors as unknown[])[0] : fields.errors;
    const content = Array.isArray(fields.content) ? (fields.content as unknown[])[0] : undefined;
    const { message, detail, reason, error, stderr } = fields;
    for (const one of [message, detail, reason, error, errors, content, stderr]) {
      const words = wordsOf(one);
      if (words !== null) return words;
    }
  }
  const printed = printedIn(text)
    .slice(0, 20_000)
    .replace(/^\[tool error\] /, '')
    .trim();
  const lines = printed.split('\n').filter((line) => line.trim() !== '' && !isExitLine(line));
  const failing = isCommand ? failingLines(printed, false)[0] : undefined;
  return failing ?? (isCommand ? lines.at(-1) : lines[0]) ?? text.slice(0, 200);
}

function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value !== 'object' || value === null) return null;
  const { message, detail, text } = value as Fields;
  return [message, detail, text].find((one): one is string => typeof one === 'string' && one !== '') ?? null;
}

const saysNotRun = (line: string): boolean =>
  beforeWords.some((before) => {
    const words = line.replace(before, '');
    return notRun.some((pattern) => pattern.test(words));
  });

/** The first and the last line, where they are short. */
function ends(text: string): string[] {
  const first = text.slice(0, 2_000).trimStart().split('\n', 1)[0]!;
  const last = text.slice(-2_000).trimEnd().split('\n').at(-1)!;
  return [first, last].filter(({ length }) => length <= maxStatement);
}

function fieldsOf(text: string): Fields | null {
  if (text.length > maxJson || !/^\s*\{/.test(text)) return null;
  const value = parseJson(text)?.value;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

const names = {
  well: ['success', 'ok', 'succeeded', 'successful', 'issuccess'],
  failed: ['iserror', 'failed'],
  exit: ['exitcode', 'exitstatus', 'returncode'],
  http: ['status', 'statuscode', 'httpstatus'],
  code: ['code'],
  errors: ['error', 'errors'],
  state: ['status'],
} as const;
const stateOfFailure = /^(?:(error)(?:ed)?|(fail)(?:ed|ure)?|(den)ied|(declin)ed|(refus)ed|(reject)ed)$/i;

/** Judges an answer by the fields that say how the call went. Fields further down are data. */
function fieldsFail(fields: Fields, { name, input }: Pick<Call, 'name' | 'input'>): boolean {
  const values = valuesOf(fields, names.well);
  if (valuesOf(fields, names.failed).includes(true) || values.includes(false)) return true;
  if (exitCodes(fields).some((code) => code !== 0)) return true;
  if (values.includes(true)) return false;
  // An argument that is the same, or a tool that is named after it, asked for what the result repeats.
  const isAskedFor = (word: string): boolean =>
    name.toLowerCase().includes(word) || input.toLowerCase().includes(`"${word}`);
  return (
    valuesOf(fields, names.errors).some(
      (error) => isFilled(error) && (typeof error !== 'string' || !input.includes(JSON.stringify(error))),
    ) ||
    valuesOf(fields, names.http).some(isHttpError) ||
    (valuesOf(fields, names.code).some(isHttpError) && explains(fields)) ||
    valuesOf(fields, names.state).some((state) => {
      const stem = typeof state === 'string' ? stateOfFailure.exec(state)?.slice(1).find(Boolean) : undefined;
      return stem !== undefined && !isAskedFor(stem.toLowerCase());
    })
  );
}

const isHttpError = (status: unknown): boolean => Number(status) >= 400 && Number(status) < 600;

/** A number may be a code of anything; beside words of its own it says what went wrong. */
const explains = ({ message, detail, reason, error, title }: Fields): boolean =>
  [message, detail, reason, error, title].some((one) => wordsOf(one) !== null);

const exitCodes = (fields: Fields): number[] =>
  [fields, fields.metadata]
    .flatMap((some) =>
      typeof some === 'object' && some !== null ? valuesOf(some as Fields, names.exit) : [],
    )
    .filter((code) => typeof code === 'number');

const valuesOf = (fields: Fields, wanted: readonly string[]): unknown[] =>
  Object.entries(fields)
    .filter(([key]) => wanted.includes(key.toLowerCase().replace(/[_-]/g, '')))
    .map(([, value]) => value);

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
