/** Sentences of a text, roughly: enough to pick one that says something. "1." of a list within a line ends none. */
export const sentencesOf = (text: string): string[] =>
  text
    .slice(0, 20_000)
    .split(/(?<=[.!?])(?<!(?:^|[\s:;,(])\d{1,2}\.)[^\S\n]+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 2);
