import type { Schemas } from '@spillway/client';

type Context = Schemas['Context'];
type Part = Context['parts'][number];

export interface ComparedPart {
  key: string;
  part: Part;
  message: Record<string, unknown>;
}

export interface Comparison {
  onlyOne: ComparedPart[];
  onlyOther: ComparedPart[];
  both: number;
}

/** The messages that only one of two contexts has. A message with other wording counts as another. */
export function compareContexts(one: Context, other: Context): Comparison {
  const [inOne, inOther] = [partsOf(one), partsOf(other)];
  return {
    onlyOne: [...inOne.values()].filter(({ key }) => !inOther.has(key)),
    onlyOther: [...inOther.values()].filter(({ key }) => !inOne.has(key)),
    both: [...inOne.keys()].filter((key) => inOther.has(key)).length,
  };
}

function partsOf(context: Context): Map<string, ComparedPart> {
  const parts = context.parts.map((part, i) => {
    const message = context.messages[i] ?? {};
    const identity = part.kind === 'summary' ? `G${context.summary?.generation}` : (part.seq ?? `note ${i}`);
    return { key: `${identity}:${JSON.stringify(message)}`, part, message };
  });
  return new Map(parts.map((part) => [part.key, part]));
}
