/**
 * Sentences of a text, roughly: enough to pick one that says something. "1." of a list within a line ends none, and
 * blocks of code say nothing that its file does not.
 */
export const sentencesOf = (text: string): string[] =>
  text
    .slice(0, 20_000)
    .replace(codeBlock, '\n')
    .split(/(?<=[.!?])(?<!(?:^|[\s:;,(])\d{1,2}\.)[^\S\n]+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 2);

/** As Markdown has it; one that was cut goes to the end. */
const codeBlock = /^[^\S\n]*```[^]*?(?:\n[^\S\n]*```|$(?![^]))/gm;
