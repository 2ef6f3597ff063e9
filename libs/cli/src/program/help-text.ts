import { inColumns } from './columns.js';
import type { Command, Operand, Option } from './command.js';
import { exitCodeMeanings } from './exit-code.js';
import { commonOptions } from './parse-call.js';
import { settingsHelp } from './server-settings.js';

/** The list of commands. */
export function overview(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary]);
  const codes = Object.entries(exitCodeMeanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return [
    'spillway <command>',
    '',
    ...inColumns(rows),
    '',
    settingsHelp,
    '',
    'Exit codes:',
    ...codes,
    '',
    'spillway <command> --help says more.',
  ].join('\n');
}

/** The help of one command. */
export function helpOf(name: string, { operands, options, summary, notes }: Command): string {
  const all = { ...options, ...commonOptions };
  const usage = ['spillway', name, ...operands.map(operandText), '[options]'].join(' ');
  const rows = Object.entries(all).map(([option, about]) => [
    `  ${optionText(option, about)}`,
    summaryOf(about),
  ]);
  const about = notes === '' ? [] : ['', notes];
  return [usage, '', summary, '', ...inColumns(rows), '', settingsHelp, ...about].join('\n');
}

function operandText({ name, required, rest, choices }: Operand): string {
  const word = choices ? choices.join('|') : `<${name}>`;
  const repeated = rest ? `${word}...` : word;
  return required ? repeated : `[${repeated}]`;
}

const optionText = (name: string, { short, type, value }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${type === 'string' ? ` <${value ?? 'text'}>` : ''}`;

const summaryOf = ({ summary, choices }: Option): string =>
  choices ? `${summary} One of ${choices.join(', ')}.` : summary;
