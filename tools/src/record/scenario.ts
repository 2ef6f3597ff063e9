import type { WrittenFormat } from './write/writers.js';

/** A call of an agent's terminal tool. */
export type TerminalCall =
  | { tool: 'bash'; args: { command: string } }
  | { tool: 'read_file'; args: { path: string; from?: number; to?: number } }
  | { tool: 'edit_file'; args: { path: string; old: string; new: string } }
  | { tool: 'write_file'; args: { path: string; content: string } };

/** A call of a tool of the order desk. */
export type DeskCall = { tool: string; args: Record<string, string | number>; desk: true };

/** A tool call of the recorded agent, run for real when the scenario is recorded. */
export type Call = (TerminalCall | DeskCall) & {
  /** Text that the output must contain. Otherwise recording stops: a sample must match its story. */
  shows?: RegExp;
};

/** The outputs so far, for texts that depend on them. */
export interface Seen {
  /** The newest output in full. */
  last: string;
  /** The first group of `pattern` in the newest output that matches it. Throws without a match. */
  find(pattern: RegExp): string;
  /** The matching lines of the newest output with a match; none when no output matches. */
  lines(pattern: RegExp): string[];
}

export type Words = string | ((seen: Seen) => string);

/** `images` are PNGs in base64. */
export type Step = { user: string; images?: string[] } | { assistant: Words | null; calls: Call[] };

/** Yields the steps of a story and receives their outputs, which decide how it continues. */
export type Story = Generator<Step, void, string[]>;

export interface Fault {
  path: string;
  old: string;
  new: string;
}

/**
 * The script of a sample: the user's requests, the agent's words, and its tool calls. Tool outputs are recorded, not
 * written.
 */
export interface Scenario {
  name: string;
  /** OpenAI chat goes into samples/ itself, where the demo finds it. Every other format has its folder there. */
  format?: WrittenFormat;
  system: string;
  /** Committed to the copy of the repository before the story begins, under `faultCommit`. */
  faults: Fault[];
  faultCommit?: string;
  /** Seed of the order desk's shop. */
  shop?: number;
  steps: Step[] | (() => Story);
}

export const user = (text: string, ...images: string[]): Step =>
  images.length > 0 ? { user: text, images } : { user: text };
export const assistant = (words: Words | null, ...calls: Call[]): Step => ({ assistant: words, calls });
export const bash = (command: string, shows?: RegExp): Call => ({ tool: 'bash', args: { command }, shows });
export const desk = (tool: string, args: Record<string, string | number> = {}): Call => ({
  tool,
  args,
  desk: true,
});
export const read = (path: string, from?: number, to?: number): Call => ({
  tool: 'read_file',
  args: { path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
});
export const edit = (path: string, old: string, replacement: string): Call => ({
  tool: 'edit_file',
  args: { path, old, new: replacement },
});
export const write = (path: string, content: string): Call => ({
  tool: 'write_file',
  args: { path, content },
});
