import { randomFrom, type Random } from './faulty-runs/faulty-run.js';

/** Another form in which the same text reaches an agent: what runs it adds times, names, columns or JSON. */
export interface Disguise {
  name: string;
  wrap: (lines: readonly string[], random: Random) => string[];
  /** The preview may spell a cause as JSON does. */
  isJson?: true;
}

const escape = '\u001b[';
const time = (i: number): string => new Date(Date.UTC(2026, 10, 22, 9, 0, 0, 120) + i * 37).toISOString();
const clock = (i: number): string => time(i).slice(11, 23);
const pods = ['api-7d9c6b5f4-x2x9z', 'api-7d9c6b5f4-k8s1p', 'worker-5c4d8b-zz7qk'];

/** Forms in which terminals, runners, containers and collectors print what a tool said. */
export const disguises: readonly Disguise[] = [
  { name: 'time stamps', wrap: (lines) => lines.map((line, i) => `${time(i)} ${line}`) },
  {
    name: 'clock and level',
    wrap: (lines) => lines.map((line, i) => `[${clock(i)}] [INFO] ${line}`),
  },
  {
    name: 'pod names',
    wrap: (lines, random) => lines.map((line) => `[pod/${pods[random(pods.length)]!}/app] ${line}`),
  },
  {
    name: 'container names',
    wrap: (lines, random) => lines.map((line) => `${['web-1', 'worker-2'][random(2)]!.padEnd(9)} | ${line}`),
  },
  {
    name: 'syslog',
    wrap: (lines) =>
      lines.map((line, i) => `Nov 22 ${clock(i).slice(0, 8)} build-host-3 runner[4711]: ${line}`),
  },
  {
    name: 'aligned columns',
    wrap: (lines, random) => [
      `${'TIME'.padEnd(26)}${'LEVEL'.padEnd(8)}${'SOURCE'.padEnd(14)}MESSAGE`,
      ...lines.map(
        (line, i) => `${time(i).padEnd(26)}${'INFO'.padEnd(8)}${`step-${random(5)}`.padEnd(14)}${line}`,
      ),
    ],
  },
  {
    name: 'colours',
    wrap: (lines, random) =>
      lines.map(
        (line) =>
          `${escape}${30 + random(8)}m${line.slice(0, 4)}${escape}0m${escape}1m${line.slice(4)}${escape}22m`,
      ),
  },
  {
    name: 'a progress bar',
    wrap: (lines) =>
      lines.map((line, i) => {
        const percent = Math.floor((100 * i) / Math.max(1, lines.length));
        const bar = `[${'#'.repeat(percent / 5).padEnd(20, '-')}] ${percent}%`;
        return `${bar}\r${' '.repeat(bar.length)}\r${line}\r${i % 3 === 0 ? '' : `${bar}\r`}`;
      }),
  },
  {
    name: 'JSON lines',
    isJson: true,
    wrap: (lines) =>
      lines.map((line, i) =>
        JSON.stringify({ level: 'info', time: time(i), logger: 'runner', pid: 4_711, msg: line }),
      ),
  },
  {
    name: 'JSON lines of a container',
    isJson: true,
    wrap: (lines) =>
      lines.map((line, i) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: time(i) })),
  },
];

/** A text in another form, the same each time. */
export function disguised(text: string, { wrap }: Disguise, seed: number): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return wrap(lines, randomFrom(seed)).join('\n') + '\n';
}

/** What a preview shows, with JSON's escapes resolved, so that a cause may be spelled either way. */
export const withoutJsonEscapes = (shown: string): string =>
  `${shown}\n${shown.replace(/\\(["\\/])/g, '$1').replace(/\\u001b/g, '\u001b')}`;
