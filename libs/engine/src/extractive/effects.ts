import type { SeqMessage } from '../messages/seq-message.js';
import { parseJson } from '../outputs/preview/json/parse-json.js';
import { oneLine, type Item } from './item.js';

/** Tools that look and change nothing, by the first word of their names. */
const reader =
  /^(?:get|list|read|search|find|grep|ls|cat|view|look|fetch|query|calculate|think|describe|show|check|glob|open|lookup|browse|head|tail|count|inspect|status|web)(?=$|[_A-Z\s-])/i;
/** A file that is read may speak of errors and reports none. */
export const readsFile = (tool: string): boolean =>
  /^(?:read|view|cat|open|get)_?(?:file|text|lines)?/i.test(tool);
const shell = /^(?:bash|shell|sh|exec|execute|run|terminal|run_command|execute_bash|cmd|powershell)(?:$|_)/i;
/** Shell commands that change something. Sets of words, so that the test is linear. */
const changes =
  /(?:^|[;&|]\s*)(?:sudo )?(?:git (?:commit|push|checkout -b|merge|rebase|tag|reset|rm|mv)|(?:rm|mv|cp|mkdir|touch|chmod|ln) |(?:npm|pnpm|yarn|pip|cargo|go) (?:i|install|add|remove|publish|uninstall)\b|sed -i|docker (?:build|run|rm|push)|kubectl (?:apply|delete|scale|rollout))|[^<>=&|]>{1,2} ?[\w./~-]+/;
const editor = /(?:edit|write|create|replace|patch|insert)/i;
const failed =
  /^\W*(?:error|failed|failure|traceback|exception|invalid|not found|unauthori[sz]ed|forbidden)\b/i;

/** Calls that changed something, in short: `cancel_reservation(reservation_id: HSR97W)`. A call that failed did not. */
export function effectsIn(messages: readonly SeqMessage[]): Item[] {
  const results = new Map(
    messages.flatMap((message) => message.results.map((result) => [result.id, result])),
  );
  return messages.flatMap((message) =>
    message.calls.flatMap((call) => {
      const result = results.get(call.id);
      if (!result || result.isError || failed.test(result.text.slice(0, 200))) return [];
      const text = effectOf(call.name, call.input);
      if (text === null) return [];
      const output = /\bout_[0-9a-f]{32}\b/.exec(result.text.slice(0, 4_000))?.[0];
      return [{ seq: message.seq, text: output ? `${text} -> ${output}` : text, weight: 1.6 }];
    }),
  );
}

/** What was asked of an effectful tool; null for a tool that only looks. */
function effectOf(name: string, input: string): string | null {
  if (reader.test(name)) return null;
  const json = input.length < 200_000 ? parseJson(input)?.value : undefined;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const args = json as Record<string, unknown>;
  if (shell.test(name)) {
    const command = args.command ?? args.cmd ?? args.script;
    return typeof command === 'string' && changes.test(command.slice(0, 2_000))
      ? `$ ${oneLine(command, 120)}`
      : null;
  }
  if (args.command === 'view') return null;
  const texts = Object.entries(args).flatMap(([key, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value);
    return text.length <= 120 && !text.includes('\n') ? [`${key}: ${text}`] : [];
  });
  const nested = Object.entries(args)
    .filter(([, value]) => typeof value === 'object' && value !== null && !editor.test(name))
    .map(([key, value]) => `${key}: ${oneLine(JSON.stringify(value), 80)}`);
  return oneLine(`${name}(${[...texts, ...nested].join(', ')})`, 200);
}

/** An agent says what came of its work: "I have cancelled ...", "67 tests pass". */
const effect =
  /\b(?:(?:has|have) been|successfully|cancel+ed|booked|refund(?:ed)?|updated|created|committed|merged|pushed|fixed|deleted|removed|added|installed|renamed|moved|passe?[sd]?|completed?|deployed|sent|charged|approved|rejected|denied|green|clean)\b/i;

export const statesEffect = (sentence: string): boolean => effect.test(sentence);
