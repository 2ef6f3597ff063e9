import { createHash } from 'node:crypto';
import { StartError } from '@spillway/embedded';
import { runTool } from './agent-tools.js';
import type { Sandbox } from './sandbox.js';
import type { Call, Scenario, Seen, Words } from './scenario.js';
import { leak, scrubber } from './scrub.js';

type Message = Record<string, unknown> & { role: string };

export interface Recording {
  sandbox: Sandbox;
  /** Is told each call, and the output that does not fit the story. */
  tell: (line: string) => void;
  signal: AbortSignal;
}

/** Plays a scenario in a sandbox and gives its thread in OpenAI format: the words as written, the outputs as they came. */
export async function record(scenario: Scenario, { sandbox, tell, signal }: Recording): Promise<Message[]> {
  const messages: Message[] = [{ role: 'system', content: scenario.system }];
  const outputs: string[] = [];
  const scrub = scrubber(sandbox);
  let calls = 0;
  for (const step of scenario.steps) {
    signal.throwIfAborted();
    if ('user' in step) {
      messages.push({ role: 'user', content: step.user });
      continue;
    }
    const content = spoken(step.assistant, outputs);
    if (step.calls.length === 0) {
      messages.push({ role: 'assistant', content });
      continue;
    }
    const numbered = step.calls.map((call) => ({ call, id: callId(scenario.name, ++calls) }));
    const tool_calls = numbered.map(({ call, id }) => ({
      id,
      type: 'function',
      function: { name: call.tool, arguments: JSON.stringify(call.args) },
    }));
    messages.push({ role: 'assistant', content, tool_calls });
    for (const { call, id } of numbered) {
      const output = scrub(await runTool(call, sandbox, signal));
      check(scenario, call, output, tell);
      outputs.push(output);
      messages.push({ role: 'tool', tool_call_id: id, name: call.tool, content: output });
      tell(`${scenario.name} ${id}: ${call.tool} ${output.length.toLocaleString('en-US')} characters`);
    }
  }
  return messages;
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

/** Ids look as a provider's do, and stay the same from one recording to the next. */
function callId(scenario: string, number: number): string {
  return `call_${createHash('sha256').update(`${scenario} ${number}`).digest('hex').slice(0, 24)}`;
}
