/** The terms of a search: the whole query first, then its parts. */
export interface SearchTerms {
  whole: string;
  /** Words and quoted phrases, lower-case. A hit should have all of them; otherwise more of them rank higher. */
  parts: string[];
}

const maxParts = 16;

/** Parses a query as people type it: words in any order, "phrases", and literal identifiers. */
export function searchTerms(query: string): SearchTerms {
  const whole = query.trim();
  const found = [...whole.matchAll(/"([^"]+)"|(\S+)/g)].map((match) =>
    (match[1] ?? match[2]!).trim().toLowerCase(),
  );
  const parts = [...new Set(found.map((part) => part.replace(/^"+|"+$/g, '')).filter((part) => part !== ''))];
  return { whole: whole.toLowerCase(), parts: parts.slice(0, maxParts) };
}

/** The score of a text: the whole query ranks above any number of its parts. 0 without a match. */
export function searchScore(text: string, { whole, parts }: SearchTerms): number {
  const lower = text.toLowerCase();
  if (lower.includes(whole)) return parts.length + 1;
  return parts.filter((part) => lower.includes(part)).length;
}
