/** A part of a Markdown document: prose, or the lines of a fenced block without its fences. */
export type Part =
  { kind: 'prose'; text: string; line: number } | { kind: 'block'; info: string; text: string; line: number };

/**
 * Splits a document at its fenced blocks. `line` is the number of a part's first line; of a block, that of its fence.
 * Throws for a block that is not closed.
 */
export function partsOf(markdown: string): Part[] {
  const parts: Part[] = [];
  let prose: string[] = [];
  let block: { fence: string; info: string; line: number; lines: string[] } | null = null;
  const endProse = (nextLine: number) => {
    if (prose.length > 0)
      parts.push({ kind: 'prose', text: prose.join('\n'), line: nextLine - prose.length });
    prose = [];
  };
  markdown.split('\n').forEach((text, index) => {
    const line = index + 1;
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text);
    if (block) {
      if (fence && fence[1]!.startsWith(block.fence) && fence[2]!.trim() === '') {
        parts.push({ kind: 'block', info: block.info, text: block.lines.join('\n'), line: block.line });
        block = null;
      } else block.lines.push(text);
    } else if (fence) {
      endProse(line);
      block = { fence: fence[1]!, info: fence[2]!.trim(), line, lines: [] };
    } else prose.push(text);
  });
  // TypeScript does not see that the callback assigned it.
  const open = block as { line: number } | null;
  if (open) throw new Error(`The block that begins in line ${open.line} is not closed`);
  endProse(markdown.split('\n').length + 1);
  return parts;
}

/** Puts a document together again. */
export function documentOf(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.kind === 'prose' ? part.text : `\`\`\`${part.info}\n${part.text}\n\`\`\``))
    .join('\n');
}

/** Applies a function to the prose of a line, and leaves its code spans as they are. */
export function outsideCodeSpans(text: string, change: (prose: string) => string): string {
  return text
    .split(/(`+[^`\n]+`+)/)
    .map((piece, i) => (i % 2 === 0 ? change(piece) : piece))
    .join('');
}
