import { contextWindows } from './context-windows.js';

/**
 * Chronos: an unknown model gets the smallest window in use, so that a context may be too small and never too large.
 */
export const fallbackWindow = 8192;

/**
 * The context window of a model, in tokens, and where it is from. Overrides precede the registry. A name matches as it
 * is, without its provider prefix (`openai/gpt-4o`), without what Bedrock puts around it
 * (`us.anthropic.claude-opus-4-1-20250805-v1:0`), without a date (`gpt-4o-2024-08-06`), and finally by its longest known
 * prefix.
 */
export function contextWindowOf(
  model: string | null,
  overrides: Readonly<Record<string, number>> = {},
): { tokens: number; known: boolean; overridden?: true } {
  if (model === null) return { tokens: fallbackWindow, known: false };
  for (const name of spellings(model)) {
    const override = own(overrides, name);
    if (override !== undefined) return { tokens: override, known: true, overridden: true };
    const tokens = own(contextWindows, name);
    if (tokens !== undefined) return { tokens, known: true };
  }
  const ofSize = sizeOnBedrock.exec(model)?.[1];
  if (ofSize !== undefined) return { tokens: Number(ofSize) * 1_000, known: true };
  const start = longestPrefix(spellings(model).at(-1)!);
  return start ? { tokens: contextWindows[start]!, known: true } : { tokens: fallbackWindow, known: false };
}

export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The names under which a model may be listed, the closest first. */
export function spellings(model: string): string[] {
  const bare = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const ofVendor = bare.replace(bedrockBegin, '').replace(/:\d+$/, '');
  const unversioned = ofVendor.replace(/-v\d+$/, '');
  const undated = unversioned.replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return [...new Set([model, bare, ofVendor, unversioned, undated])];
}

/** On Bedrock: the region or group of regions of an inference profile, and the vendor. */
const bedrockBegin = /^(?:[a-z-]{2,10}\.)?(?:anthropic|amazon|cohere|deepseek|meta|mistral|openai|qwen)\./;

/** Some are offered there with a smaller context: `anthropic.claude-3-haiku-20240307-v1:0:48k`. */
const sizeOnBedrock = /:\d+:(\d{1,4})k$/;

function longestPrefix(name: string): string | undefined {
  return Object.keys(contextWindows)
    .filter((known) => name.startsWith(`${known}-`) || name.startsWith(`${known}:`))
    .sort((a, b) => b.length - a.length)[0];
}
