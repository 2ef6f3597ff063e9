/** A tool call of the recorded agent, run for real when the scenario is recorded. */
export type Call = (
  | { tool: 'bash'; args: { command: string } }
  | { tool: 'read_file'; args: { path: string; from?: number; to?: number } }
  | { tool: 'edit_file'; args: { path: string; old: string; new: string } }
  | { tool: 'write_file'; args: { path: string; content: string } }
) & {
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

export type Step = { user: string } | { assistant: Words | null; calls: Call[] };

export interface Fault {
  path: string;
  old: string;
  new: string;
}

/** What the sample tells: who asks, what the agent says, and which tools it calls. Their answers are not written. */
export interface Scenario {
  name: string;
  system: string;
  /** Committed to the copy of the repository before the story begins, under `faultCommit`. */
  faults: Fault[];
  faultCommit?: string;
  steps: Step[];
}

export const user = (text: string): Step => ({ user: text });
export const assistant = (words: Words | null, ...calls: Call[]): Step => ({ assistant: words, calls });
export const bash = (command: string, shows?: RegExp): Call => ({ tool: 'bash', args: { command }, shows });
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
