import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectedCuts } from '../../../test/trajectories/expected-cuts.js';
import { repository } from '../repository.js';

const page = (name: string): string => readFileSync(join(repository, 'docs', name), 'utf8');

const inWords = (n: number): string => n.toLocaleString('en-US');

/** The counts of one rule under a limit. */
function cuts(rule: 'dawn' | 'chronos' | 'chronosWithoutTools' | 'agentScope', limit: number) {
  return expectedCuts[rule].find((row) => row[0] === limit)![1];
}

interface Savings {
  /** As the page writes them: 11.14 M. */
  tokens: string;
  calls: number;
  overWindow: number;
  invalid: number;
  compactions: number;
  again: number;
  /** Threads over the trigger and never compacted; of the rules of others only. */
  never: number | null;
}

/** A row of the savings in docs/benchmarks.md: what was sent by a rule or a preset. */
function savings(window: 16 | 32, by: string): Savings {
  const row = page('benchmarks.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${window} k: ${by} `))!;
  const found = (pattern: RegExp): string | undefined => pattern.exec(row)?.[1];
  const never = found(/ (\d+) threads over the trigger/);
  return {
    tokens: found(/ (\d+\.\d+ M) tokens/)!,
    calls: Number(found(/ of (\d+) calls/)),
    overWindow: Number(found(/ (\d+) over the window/)),
    invalid: Number(found(/ (\d+) invalid/)),
    compactions: Number(found(/ (\d+) compactions/)),
    again: Number(found(/ (\d+) right after another/)),
    never: never === undefined ? null : Number(never),
  };
}

const [dawn16, dawn32] = [savings(16, "Dawn's rules"), savings(32, "Dawn's rules")];
const chronos = savings(16, "Chronos's rules");
const [agentScope16, agentScope32] = [savings(16, "AgentScope's rules"), savings(32, "AgentScope's rules")];
const [preset16, preset32] = [
  savings(16, 'Spillway, preset agentscope'),
  savings(32, 'Spillway, preset agentscope'),
];
const calls = inWords(dawn16.calls);
const threeWindows = (count: 'equalCuts' | 'keepsNothing' | 'largeMessage'): string => {
  const [small, middle, large] = [8_000, 16_000, 32_000].map((window) => cuts('agentScope', window)[count]);
  return `${small}, ${middle} and ${large}`;
};

/** Each sentence that quotes a number, as the tests and the benchmarks have it now. */
const quoted: [name: string, parts: string[]][] = [
  [
    'dawn.md',
    [
      `${cuts('dawn', 12_000).equalCuts} times with \`maxTokens\` 12,000 and ${cuts('dawn', 4_000).equalCuts} times with 4,000`,
      `leaves ${dawn16.never} of the 40 threads over its trigger`,
      `${dawn16.overWindow} of ${calls} calls of the model are over a window of 16,000 tokens (${dawn32.overWindow} are over 32,000)`,
    ],
  ],
  [
    'chronos.md',
    [
      `${cuts('chronosWithoutTools', 4_000).equalCuts} times on the threads without tool messages at a limit of 4,000`,
      `(${cuts('chronos', 8_000).equalCuts} times at 8,000)`,
      `makes ${chronos.compactions} compactions, ${chronos.again} of them in front of`,
      `${chronos.overWindow} of ${calls} calls are over the window and ${chronos.invalid} would be refused`,
      `(${chronos.tokens}, the preset ${savings(16, 'Spillway, preset chronos').tokens})`,
    ],
  ],
  [
    'agentscope.md',
    [
      `${threeWindows('equalCuts')} times with windows of 8,000, 16,000 and 32,000`,
      `nothing of the conversation is left verbatim: ${threeWindows('keepsNothing')} times`,
      `is due later: after ${threeWindows('largeMessage')} messages`,
      `reach the trigger alone ${expectedCuts.agentScopeFilled[1].summaryOverTrigger} times`,
      `${agentScope16.tokens} by its rule and ${preset16.tokens} with the preset at a window of 16,000, ${agentScope32.tokens} and ${preset32.tokens} at 32,000`,
    ],
  ],
];

test.each(quoted)(
  'docs/migrating/%s quotes what the tests and the benchmarks measured last',
  (name, parts) => {
    const text = page(`migrating/${name}`);
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
  },
);
