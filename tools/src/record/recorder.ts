import { createHash } from 'node:crypto';
import { StartError } from '@spillway/embedded';
import { runTool } from './agent-tools.js';
import { openDesk, type Desk } from './desk/desk-process.js';
import type { Sandbox } from './sandbox.js';
import type { Call, Scenario, Seen, Step, Story, Words } from './scenario.js';
import { leak, scrubber } from './scrub.js';
import type { Turn, TurnResult, Written } from './write/turn.js';
import { writers } from './write/writers.js';

export interface Recording {
  sandbox: Sandbox;
  /** Receives a line for each call and for each output that does not match the story. */
  tell: (line: string) => void;
  signal: AbortSignal;
}

/** Plays a scenario in a sandbox and returns its thread: the words as written, the outputs as produced. */
export async function record(scenario: Scenario, recording: Recording): Promise<Written[]> {
  const desk = scenario.shop === undefined ? null : openDesk(scenario.shop);
  try {
    const turns = await play(scenario, recording, desk);
    return turns.flatMap(writers[scenario.format ?? 'openai']);
  } finally {
    desk?.close();
  }
}

async function play(scenario: Scenario, recording: Recording, desk: Desk | null): Promise<Turn[]> {
  const { sandbox, tell, signal } = recording;
  const turns: Turn[] = [{ kind: 'system', text: scenario.system }];
  const outputs: string[] = [];
  const scrub = scrubber(sandbox);
  const story = typeof scenario.steps === 'function' ? scenario.steps() : stepsOf(scenario.steps);
  let calls = 0;
  for (let next = story.next(); !next.done;) {
    signal.throwIfAborted();
    const step = next.value;
    if ('user' in step) {
      turns.push({ kind: 'user', text: step.user, images: step.images ?? [] });
      next = story.next([]);
      continue;
    }
    const numbered = step.calls.map((call) => ({ call, id: callId(scenario.name, ++calls) }));
    turns.push({
      kind: 'assistant',
      text: spoken(step.assistant, outputs),
      calls: numbered.map(({ call: { tool, args }, id }) => ({ id, tool, args })),
    });
    const results: TurnResult[] = [];
    for (const { call, id } of numbered) {
      const result = await run(call, sandbox, desk, signal);
      const text = scrub(result.text);
      check(scenario, call, text, tell);
      outputs.push(text);
      results.push({ id, tool: call.tool, ...result, text });
      tell(`${scenario.name} ${id}: ${call.tool} ${text.length.toLocaleString('en-US')} characters`);
    }
    if (results.length > 0) turns.push({ kind: 'results', results });
    next = story.next(results.map(({ text }) => text));
  }
  return turns;
}

function* stepsOf(steps: readonly Step[]): Story {
  for (const step of steps) yield step;
}

async function run(
  call: Call,
  sandbox: Sandbox,
  desk: Desk | null,
  signal: AbortSignal,
): Promise<{ text: string; isError: boolean; image?: string }> {
  if (!('desk' in call)) return { text: await runTool(call, sandbox, signal), isError: false };
  if (!desk) throw new StartError(`${call.tool}: the scenario has no shop.`);
  return desk.ask(call.tool, call.args);
}

function spoken(words: Words | null, outputs: readonly string[]): string | null {
  if (typeof words !== 'function') return words;
  const seen: Seen = {
    last: outputs.at(-1) ?? '',
    find: (pattern) => {
      for (const output of outputs.toReversed()) {
        const found = pattern.exec(output)?.[1];
        if (found !== undefined) return found;
      }
      throw new Error(`No output so far has ${pattern}`);
    },
    lines: (pattern) => {
      const matching = (output: string): string[] => output.split('\n').filter((line) => pattern.test(line));
      return matching(outputs.findLast((output) => matching(output).length > 0) ?? '');
    },
  };
  return words(seen);
}

function check(scenario: Scenario, call: Call, output: string, tell: (line: string) => void): void {
  const where = `${scenario.name}, ${JSON.stringify(call.args).slice(0, 200)}`;
  if (call.shows && !call.shows.test(output)) {
    tell(output);
    throw new StartError(
      `${where}: the output above does not show ${call.shows}. The story needs another look.`,
    );
  }
  const left = leak(output);
  if (left)
    throw new StartError(`${where}: the output still tells about this machine: ${left}. See scrub.ts.`);
}

/** Ids look like a provider's, and are the same in every recording. */
function callId(scenario: string, number: number): string {
  return `call_${createHash('sha256').update(`${scenario} ${number}`).digest('hex').slice(0, 24)}`;
}
