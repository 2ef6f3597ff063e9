import { callsWithResults } from '../messages/calls-with-results.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { parseJson } from '../outputs/preview/json/parse-json.js';
import { clipAtWord } from '../compaction/summary-line.js';
import type { Item } from './item.js';
import { onlyReads } from './only-reads.js';
import { spokenOf, type Spoken } from './spoken.js';
import { weights } from './weights.js';

const shell = /^(?:bash|shell|sh|exec|execute|run|terminal|run_command|execute_bash|cmd|powershell)(?:$|_)/i;
/** Shell commands that change something. Sets of words, so that the test is linear. */
const changes =
  /(?:^|[;&|]\s*)(?:sudo )?(?:git (?:commit|push|checkout -b|switch -c|merge|rebase|tag|reset|rm|mv|revert|stash|cherry-pick)|(?:rm|mv|cp|mkdir|touch|chmod|ln) |(?:npm|pnpm|yarn|pip|cargo|go) (?:i|install|add|remove|publish|uninstall)\b|sed -i|docker (?:build|run|rm|push)|kubectl (?:apply|delete|scale|rollout))|[^<>=&|\d]>{1,2} ?(?!\/dev\/|&)[\w./~-]+/;
const editor = /(?:edit|write|create|replace|patch|insert)/i;
const filePath = ['path', 'file_path', 'file', 'filename', 'target_file', 'filePath'] as const;
/** A field of JSON with such a name and nothing in it, as in `{"error":null,...}`, says that all went well. */
const failed =
  /^\W*(?:error|failed|failure|traceback|exception|invalid|not found|unauthori[sz]ed|forbidden)\b(?!"\s*:\s*(?:null|false|0|""|\[\s*\]|\{\s*\})\s*[,}])/i;

interface Tried {
  seq: number;
  text: string;
  /** What the agent said of it. */
  spoken: Spoken;
  result: SeqMessage['results'][number];
  /** The file that it wrote. */
  file: string | null;
}

/**
 * Calls that changed something, in short: `cancel_reservation(reservation_id: HSR97W)`; a file that was written
 * several times once. A call that failed changed nothing.
 */
export function effectsIn(messages: readonly SeqMessage[]): Item[] {
  const files = new Map<string, Item & { times: number }>();
  const items: Item[] = [];
  for (const { seq, text, spoken, result, file } of triedIn(messages)) {
    if (hasFailed(result)) continue;
    if (file !== null) {
      const times = (files.get(file)?.times ?? 0) + 1;
      files.set(file, { seq, text: writtenFile(file, times), weight: weights.state.effect, times });
      continue;
    }
    const output = /\bout_[0-9a-f]{32}\b/.exec(result.text.slice(0, 4_000))?.[0];
    const came = [spoken.after, output].filter((one) => one !== undefined && one !== null).join(' ');
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

/** Calls that were to change something and were refused, with the reason. */
export function refusalsIn(messages: readonly SeqMessage[]): Item[] {
  return triedIn(messages).flatMap(({ seq, text, result, file }) =>
    hasFailed(result) && file === null
      ? [
          {
            seq,
            text: `${clipAtWord(text, maxRefusedCall)} refused: ${clipAtWord(reasonIn(result.text), 140)}`,
            weight: weights.discovery.refusal,
          },
        ]
      : [],
  );
}

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
    const effect = result ? effectOf(call.name, call.input) : null;
    if (!result || !effect) return [];
    const spoken = spokenOf(messages, at, call.input);
    return [{ seq: messages[at]!.seq, result, ...effect, text: spoken.before ?? effect.text, spoken }];
  });
}

const hasFailed = ({ text, isError }: Tried['result']): boolean => isError || failed.test(text.slice(0, 200));

/** The words of an error: the message of a JSON object, else the first line. */
function reasonIn(text: string): string {
  const json = text.length < 20_000 ? parseJson(text)?.value : undefined;
  if (typeof json === 'object' && json !== null) {
    const { message, detail, error, reason } = json as Record<string, unknown>;
    const words = [message, detail, reason, error].find((one) => typeof one === 'string');
    if (typeof words === 'string') return words;
  }
  return text
    .slice(0, 2_000)
    .replace(/^\[tool error\] /, '')
    .trim()
    .split('\n')[0]!;
}

/** What was asked of an effectful tool; null for a tool that only looks. */
function effectOf(name: string, input: string): Pick<Tried, 'text' | 'file'> | null {
  if (onlyReads(name)) return null;
  const json = input.length < 200_000 ? parseJson(input)?.value : undefined;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const args = json as Record<string, unknown>;
  if (shell.test(name)) {
    const command = args.command ?? args.cmd ?? args.script;
    return typeof command === 'string' && changes.test(command.slice(0, 2_000))
      ? { text: `$ ${clipAtWord(command, 120)}`, file: null }
      : null;
  }
  if (args.command === 'view') return null;
  const path = editor.test(name)
    ? filePath.map((key) => args[key]).find((one) => typeof one === 'string')
    : undefined;
  if (typeof path === 'string' && path.length <= 200) return { text: `wrote ${path}`, file: path };
  const texts = Object.entries(args).flatMap(([key, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value);
    return text.length <= 120 && !text.includes('\n') ? [`${key}: ${text}`] : [];
  });
  const nested = Object.entries(args)
    .filter(([, value]) => typeof value === 'object' && value !== null)
    .map(([key, value]) => `${key}: ${clipAtWord(JSON.stringify(value), 80)}`);
  return { text: clipAtWord(`${name}(${[...texts, ...nested].join(', ')})`, 200), file: null };
}

/** An agent says what came of its work: "I have cancelled ...", "67 tests pass". */
const effect =
  /\b(?:(?:has|have) been|successfully|cancel+ed|booked|refund(?:ed)?|updated|created|committed|merged|pushed|fixed|deleted|removed|added|installed|renamed|moved|passe?[sd]?|completed?|deployed|sent|charged|approved|rejected|denied|green|clean)\b/i;

export const statesEffect = (sentence: string): boolean => effect.test(sentence);
