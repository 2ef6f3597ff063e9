import { isObject, leavesOf } from '../json/leaves.js';
import { parseJsonExactly } from '../json/parse-exactly.js';

/** Where loggers put what they say, the surest first. */
const messageKeys = [
  'msg',
  'message',
  '@message',
  'MESSAGE',
  'log',
  'textPayload',
  'short_message',
  'event',
  'text',
  'line',
  'body',
];
/** What loggers say beside it: a document without any of these is data. */
const contextKeys =
  /^(?:@?time(?:stamp)?|ts|t|date(?:time)?|asctime|lvl|level|level_?name|log_?level|log\.level|severity|stream|logger|logger_?name|hostname)$/i;
const levelKeys = /^(?:lvl|level|level_?name|log_?level|log\.level|severity)$/i;
const reasonKeys =
  /^(?:err|errors?|exception|cause|reason|stack|stack_?trace|trace|stderr|details?|exit_?code|fault)$/i;

const sampleSize = 60;

/** Are nearly all lines documents of a logger, with a message each? */
export function isLoggerJson(lines: readonly string[]): boolean {
  let looked = 0;
  let found = 0;
  const step = Math.max(1, Math.floor(lines.length / sampleSize));
  for (let i = 0; i < lines.length && looked < sampleSize; i += step) {
    if (lines[i]!.trim() === '') continue;
    looked++;
    const document = documentOf(lines[i]!);
    if (
      document &&
      messageOf(document) !== undefined &&
      Object.keys(document).some((key) => contextKeys.test(key))
    )
      found++;
  }
  return looked >= 3 && found >= looked * 0.8;
}

/** What a document of a logger says: its level when that is a bad one, its message, and then the reason. */
export function messageIn(line: string): string {
  const document = documentOf(line);
  if (!document) return line;
  const message = messageOf(document);
  const level = levelOf(document);
  const others = Object.entries(document).filter(
    ([key, value]) =>
      value !== message && value !== null && (level !== '' ? !contextKeys.test(key) : reasonKeys.test(key)),
  );
  const reasons = others
    .sort(([a], [b]) => Number(reasonKeys.test(b)) - Number(reasonKeys.test(a)))
    .flatMap(([key, value]) =>
      leavesOf(value, key, 12).map(({ path, value }) => `${path}=${flat(String(value), 200)}`),
    );
  const parts = [message === undefined ? '' : message.replace(/\r?\n$/, ''), ...reasons.slice(0, 12)].filter(
    (part) => part !== '',
  );
  return flat(`${level}${parts.join('  ')}`, 20_000);
}

function documentOf(line: string): Record<string, unknown> | undefined {
  const start = line.trimStart();
  if (!start.startsWith('{') || line.length > 1_000_000) return undefined;
  const value = parseJsonExactly(start)?.value;
  return isObject(value) ? value : undefined;
}

function messageOf(document: Record<string, unknown>): string | undefined {
  for (const key of messageKeys) {
    const value = document[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** `ERROR ` and the like; nothing for levels that are no bad sign. pino and bunyan: 40 warns, 50 is an error, 60 fatal. */
function levelOf(document: Record<string, unknown>): string {
  for (const [key, value] of Object.entries(document)) {
    if (!levelKeys.test(key)) continue;
    if (typeof value === 'number')
      return value >= 60 ? 'FATAL ' : value >= 50 ? 'ERROR ' : value >= 40 && value % 10 === 0 ? 'WARN ' : '';
    if (typeof value === 'string' && /^(?:warn|err|fatal|crit|severe|panic|alert|emerg)/i.test(value))
      return `${value.toUpperCase().slice(0, 20)} `;
  }
  return '';
}

const flat = (text: string, max: number): string =>
  (text.length > max ? text.slice(0, max).toWellFormed() : text).replace(/\r?\n/g, ' ⏎ ');
