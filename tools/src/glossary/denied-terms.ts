import ts from 'typescript';

/** A term of the glossary's last column, found in a text that people read. */
export interface Finding {
  line: number;
  term: string;
}

/** Returns the terms that the tables of the glossary deny: code spans in the last of three columns. */
export function deniedTerms(glossary: string): string[] {
  const rows = glossary.split('\n').flatMap((line) => {
    const cells = /^\|(.*)\|\s*$/.exec(line)?.[1]?.split('|') ?? [];
    return cells.length === 3 ? [cells[2]!] : [];
  });
  return rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
}

/** Finds terms in a Markdown document, but not in code, in targets of links, or in links to tests, whose names are quoted. */
export function findInMarkdown(text: string, terms: readonly string[]): Finding[] {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/\[[^\]]*\]\([^)]*\.test\.tsx?[^)]*\)/g, blank)
    .replace(/\]\([^)\n]*\)/g, blank)
    .replace(/`[^`\n]*`/g, blank);
  return find([{ text: prose, line: 1 }], terms);
}

/** Finds terms in the comments of a TypeScript file; with `strings`, also in its strings and JSX texts. */
export function findInCode(
  path: string,
  text: string,
  terms: readonly string[],
  { strings }: { strings: boolean },
): Finding[] {
  // Nearly all files name none anywhere, and are not parsed.
  if (find([{ text: withoutStars(text), line: 1 }], terms).length === 0) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const starts = new Set<number>();
  const parts: { text: string; line: number }[] = [];
  const add = (start: number, end: number) => {
    if (starts.has(start)) return;
    starts.add(start);
    parts.push({
      text: withoutStars(text.slice(start, end)),
      line: source.getLineAndCharacterOfPosition(start).line + 1,
    });
  };
  const visit = (node: ts.Node) => {
    const isText = ts.isJsxText(node);
    if (!isText) {
      const comments = [
        ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
      ];
      for (const { pos, end } of comments) add(pos, end);
    }
    if (strings && (isText || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)))
      add(node.getStart(source), node.getEnd());
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return find(parts, terms).sort((a, b) => a.line - b.line);
}

/** Comments of several lines, where a term of several words may be broken, without what begins their lines. */
const withoutStars = (text: string): string => text.replace(/^[ \t]*\*/gm, ' ');

function find(parts: readonly { text: string; line: number }[], terms: readonly string[]): Finding[] {
  return parts.flatMap(({ text, line }) =>
    terms.flatMap((term) => {
      // A term of several words may be broken over lines.
      const words = term.split(' ').map((word) => word.replace(/[^\w-]/g, '\\$&'));
      const pattern = new RegExp(`(?<![\\w-])${words.join('\\s+')}(?![\\w-])`, 'gi');
      return [...text.matchAll(pattern)].map((match) => ({
        line: line + text.slice(0, match.index).split('\n').length - 1,
        term,
      }));
    }),
  );
}
