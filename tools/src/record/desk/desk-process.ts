import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DeskAnswer } from './tools.js';

export interface Desk {
  ask(tool: string, args: object): Promise<DeskAnswer>;
  close(): void;
}

/** Starts the order desk as a process, which ends with this one: its stdin closes. */
export function openDesk(seed: number): Desk {
  const program = fileURLToPath(new URL('main.js', import.meta.url));
  const child = spawn(process.execPath, [program, `${seed}`], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (tool, args) => {
      child.stdin.write(`${JSON.stringify({ tool, args })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The order desk ended at ${tool}.`);
      return JSON.parse(value) as DeskAnswer;
    },
    close: () => child.stdin.end(),
  };
}
