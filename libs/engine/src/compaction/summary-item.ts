/** One line of a field: something the thread itself said, with the seq where it said it. */
export interface Item {
  seq: number;
  text: string;
  /** How much it matters beside others of its field; recency adds up to 1. */
  weight: number;
  /** It always stays, shortened where it is too long. */
  keep?: boolean;
}

const line = /^- \[(\d+)\] (.+)$/;

export const renderItem = (item: Item): string => `- [${item.seq}] ${item.text}`;

/** The items of a rendered field. Lines of another making (an LLM's, a person's) are kept as items of seq 0. */
export function parseItems(field: string, weightOf: (text: string) => number): Item[] {
  return field
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const match = line.exec(text);
      const words = match?.[2] ?? text.replace(/^- /, '');
      return { seq: Number(match?.[1] ?? 0), text: words, weight: weightOf(words) };
    });
}

/** Text on one line, clipped to `max` characters at a word. */
export function clipAtWord(text: string, max: number): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= max) return flat;
  const cut = flat.slice(0, max);
  const space = cut.lastIndexOf(' ');
  return `${(space > max * 0.6 ? cut.slice(0, space) : cut).toWellFormed()} ...`;
}
