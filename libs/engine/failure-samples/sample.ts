/** A failure as a tool tells it, with the lines of it that state the cause. */
export interface FailureSample {
  tool: string;
  output: string;
  /** Texts that a preview must contain. */
  cause: readonly string[];
}

/** A sample from its text, in which the lines of the cause are marked with a bar at their start. */
export function failure(tool: string, marked: string): FailureSample {
  const lines = marked.replace(/^\n|\n *$/g, '').split('\n');
  return {
    tool,
    output: lines.map((line) => line.replace(/^\|/, '')).join('\n'),
    cause: lines.filter((line) => line.startsWith('|')).map((line) => line.slice(1).trim()),
  };
}
