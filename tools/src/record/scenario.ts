import type { WrittenFormat } from './write/writers.js';

/** A call of one of the tools that an agent has in a terminal. */
export type TerminalCall =
  | { tool: 'bash'; args: { command: string } }
  | { tool: 'read_file'; args: { path: string; from?: number; to?: number } }
  | { tool: 'edit_file'; args: { path: string; old: string; new: string } }
  | { tool: 'write_file'; args: { path: string; content: string } };

/** A call of a tool of the order desk. */
export type DeskCall = { tool: string; args: Record<string, string | number>; desk: true };

/** A tool call of the recorded agent, run for real when the scenario is recorded. */
export type Call = (TerminalCall | DeskCall) & {
  /** What the story says the output holds. Recording stops when it doesn't: a sample must not tell a lie. */
  shows?: RegExp;
};

/** The outputs so far, for words that depend on them. */
export interface Seen {
  /** The newest output, whole. */
  last: string;
  /** The first group of `pattern` in the newest output that has it. Throws when none has. */
  find(pattern: RegExp): string;
  /** The lines that match, of the newest output that has any; none when no output has. */
  lines(pattern: RegExp): string[];
}

export type Words = string | ((seen: Seen) => string);

/** `images` are PNGs in base64. */
export type Step = { user: string; images?: string[] } | { assistant: Words | null; calls: Call[] };

/** Yields the steps of a story and gets back what each of them put out: the answers decide how it goes on. */
export type Story = Generator<Step, void, string[]>;

export interface Fault {
  path: string;
  old: string;
  new: string;
}

/** What the sample tells: who asks, what the agent says, and which tools it calls. Their answers are not written. */
export interface Scenario {
  name: string;
  /** OpenAI chat, in samples/ itself, where the demo finds it. Any format named here goes into its folder there. */
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
