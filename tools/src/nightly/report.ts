import type { Step } from './steps.js';

export interface Ended {
  step: Step;
  ok: boolean;
  seconds: number;
  output: string;
}

const lastLines = 12;
const failure = /(^|\s)(×|FAIL|MISSED|BROKEN|Error:)/;

/** The report as Markdown: what ran on which commit, how it ended, and of what failed the lines that say so. */
export function reportOf(
  ended: readonly Ended[],
  about: { commit: string; seed: number; startedAt: Date },
): string {
  const failed = ended.filter(({ ok }) => !ok);
  const rows = ended.map(
    ({ step, ok, seconds }) => `| ${step.name} | ${ok ? 'passed' : '**failed**'} | ${minutes(seconds)} |`,
  );
  const details = ended.flatMap(({ step, ok, output }) => [
    `## ${step.name}`,
    '',
    `\`${commandLine(step)}\``,
    '',
    '```',
    ...(ok ? [] : linesOf(output).filter((line) => failure.test(line))),
    ...linesOf(output).slice(-lastLines),
    '```',
    '',
  ]);
  return [
    `# Nightly run of ${about.startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    `Commit ${about.commit}, seed ${about.seed}. ${ended.length - failed.length} of ${ended.length} passed.`,
    '',
    '| what | result | minutes |',
    '| --- | --- | --- |',
    ...rows,
    '',
    ...details,
  ].join('\n');
}

const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
const linesOf = (output: string): string[] => output.trimEnd().split('\n');
const commandLine = ({ command, env }: Step): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command].join(' ');
