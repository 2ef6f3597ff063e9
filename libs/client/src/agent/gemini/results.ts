/** What a tool returned, as the AI SDK has it. */
export interface Output {
  type: string;
  value?: unknown;
  reason?: string;
}

type Response = Record<string, unknown>;

/** The fields in which functions return one text. */
const textFields = ['result', 'output'];

/** Returns the response of a function as an output: a text where it holds one alone, an error where it says so. */
export function outputOf(response: Response = {}): Output {
  const [[field, value] = ['', undefined], ...others] = Object.entries(response);
  if (others.length === 0 && field === 'error')
    return { type: typeof value === 'string' ? 'error-text' : 'error-json', value };
  if (others.length === 0 && textFields.includes(field) && typeof value === 'string')
    return { type: 'text', value };
  return { type: 'json', value: response };
}

/** Returns the response that says the same. */
export function responseOf({ type, value, reason }: Output = { type: 'json' }): Response {
  if (type === 'execution-denied') return { error: reason ?? 'denied' };
  if (type.startsWith('error-')) return { error: value };
  if (type === 'content') return { result: textsOf(value) };
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Response) : { result: value };
}

const textsOf = (value: unknown): string =>
  (value as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
