/** What a search looks for: the whole query as it stands first, then its parts. */
export interface SearchTerms {
  whole: string;
  /** Words, and phrases in quotes, lower-case. All of them should be there; where none has all, the most count. */
  parts: string[];
}

const maxParts = 16;

/** Reads a query as people type it: words in any order, "phrases" together, identifiers letter by letter. */
export function searchTerms(query: string): SearchTerms {
  const whole = query.trim();
  const found = [...whole.matchAll(/"([^"]+)"|(\S+)/g)].map((match) =>
    (match[1] ?? match[2]!).trim().toLowerCase(),
  );
  const parts = [...new Set(found.map((part) => part.replace(/^"+|"+$/g, '')).filter((part) => part !== ''))];
  return { whole: whole.toLowerCase(), parts: parts.slice(0, maxParts) };
}

/** How well a text answers: the whole query beats any number of its parts. 0 for not at all. */
export function searchScore(text: string, { whole, parts }: SearchTerms): number {
  const lower = text.toLowerCase();
  if (lower.includes(whole)) return parts.length + 1;
  return parts.filter((part) => lower.includes(part)).length;
}
