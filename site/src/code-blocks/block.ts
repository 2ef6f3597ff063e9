import { headingsOf } from '../markdown/headings.js';
import { partsOf } from '../markdown/fences.js';

/** A fenced block of a page of the repository. */
export interface CodeBlock {
  page: string;
  /** The line of its fence. */
  line: number;
  /** The heading it stands under. */
  heading: string;
  language: string;
  /** What stands behind the language, as in `prelude=loop`. */
  attributes: Readonly<Record<string, string>>;
  text: string;
}

/** A finding names the page and the line, as editors do. */
export const at = ({ page, line }: Pick<CodeBlock, 'page' | 'line'>, message: string): string =>
  `${page}:${line}: ${message}`;

/** Returns the blocks of a document, each with its place. */
export function blocksOf(page: string, markdown: string): CodeBlock[] {
  let heading = '';
  return partsOf(markdown).flatMap((part) => {
    if (part.kind === 'prose') {
      heading = headingsOf(part.text).at(-1)?.text ?? heading;
      return [];
    }
    const [language = '', ...words] = part.info.split(/\s+/);
    const attributes = Object.fromEntries(
      words.map((word) => {
        const [name = '', value = ''] = word.split('=');
        return [name, value];
      }),
    );
    return [{ page, line: part.line, heading, language, attributes, text: part.text }];
  });
}
