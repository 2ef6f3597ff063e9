interface Shell {
  stdout: string;
}

/** A result whose text can be replaced. */
export interface Replaceable {
  text: string;
  with(text: string): unknown;
}

/**
 * Returns the text of a tool's result and the result with another text: of tools of MCP servers, whose result is one
 * block of text, and of commands. Null for other results, which the program rewrites for the model: a stub must reach
 * the thread as it is.
 */
export function replaceable(response: unknown): Replaceable | null {
  if (Array.isArray(response)) {
    const [block] = response as { type?: string; text?: string }[];
    return response.length === 1 && block?.type === 'text' && typeof block.text === 'string'
      ? { text: block.text, with: (text) => [{ ...block, text }] }
      : null;
  }
  if (!isShell(response)) return null;
  return { text: response.stdout, with: (stdout) => ({ ...response, stdout }) };
}

const isShell = (response: unknown): response is Shell =>
  typeof response === 'object' &&
  response !== null &&
  typeof (response as Partial<Shell>).stdout === 'string' &&
  (response as { stderr?: string }).stderr === '';
