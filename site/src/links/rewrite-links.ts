import { posix } from 'node:path';
import { documentOf, outsideCodeSpans, partsOf } from '../markdown/fences.js';

/** What a link may lead to. */
export interface Targets {
  /** The address of the page that is made from a file or stands for a folder, if there is one. */
  pageOf(path: string): string | undefined;
  /** Whether a path is a file or a folder of the repository. */
  exists(path: string): boolean;
  /** The anchors of a page, by its address. */
  anchorsOf(page: string): ReadonlySet<string>;
  /** Where files of the repository are shown, or undefined. */
  repositoryAddress: string | undefined;
}

export interface Rewritten {
  text: string;
  /** Files of the repository that the page shows as pictures. */
  pictures: string[];
  complaints: string[];
}

const picture = /\.(png|jpe?g|svg|gif|webp)$/i;
const link = /(!?)\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * Makes the links of a document lead where they lead in the repository: to the page of a file, to a picture of the
 * site, or to the file at the repository's address. Reports links that lead nowhere.
 */
export function rewriteLinks(markdown: string, source: string, targets: Targets): Rewritten {
  const pictures: string[] = [];
  const complaints: string[] = [];
  const own = targets.pageOf(source);

  const rewrite = (whole: string, bang: string, label: string, target: string): string => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return whole;
    const [file = '', hash] = target.split('#');
    const path = file === '' ? source : posix.normalize(posix.join(posix.dirname(source), file));
    const clean = path.replace(/\/$/, '');
    if (path.startsWith('../') || (file !== '' && !targets.exists(clean))) {
      complaints.push(`${source}: ${target} is not in the repository`);
      return whole;
    }
    if (picture.test(clean)) {
      pictures.push(clean);
      return `${bang}[${label}](/pictures/${clean})`;
    }
    const page = file === '' ? own : targets.pageOf(clean);
    if (page !== undefined) {
      if (hash !== undefined && !targets.anchorsOf(page).has(hash))
        complaints.push(`${source}: ${target} has no heading #${hash}`);
      return `[${label}](${page}${hash === undefined ? '' : `#${hash}`})`;
    }
    if (targets.repositoryAddress !== undefined) return `[${label}](${targets.repositoryAddress}${clean})`;
    return withPath(label, clean);
  };

  const parts = partsOf(markdown).map((part) =>
    part.kind === 'block' ? part : { ...part, text: replaceLinks(part.text, rewrite) },
  );
  return { text: documentOf(parts), pictures: [...new Set(pictures)], complaints };
}

/** A label may hold code spans, so that links are matched first and code spans outside of links are skipped. */
function replaceLinks(
  text: string,
  rewrite: (...groups: [string, string, string, string]) => string,
): string {
  const spans = [...text.matchAll(/`+[^`\n]+`+/g)].map((span) => [span.index, span.index + span[0].length]);
  return text.replace(link, (...args) => {
    const [whole, bang, label, target, at] = args as [string, string, string, string, number];
    const isInCode = spans.some(([from, to]) => at > from! && at < to!);
    return isInCode ? whole : rewrite(whole, bang, label, target);
  });
}

/** A label and the path that it leads to, for a reader who has a checkout. */
function withPath(label: string, path: string): string {
  const code = `\`${path}\``;
  if (plain(label) === path) return code;
  // The name of a file says nothing that its path does not.
  return plain(label) === posix.basename(path) ? code : `${label} (${code})`;
}

const plain = (label: string): string => label.replace(/[`*]/g, '');

/** Makes text safe for the templates of Vue: outside of code, two braces would be an expression. */
export function withoutExpressions(markdown: string): string {
  return documentOf(
    partsOf(markdown).map((part) =>
      part.kind === 'block'
        ? part
        : {
            ...part,
            text: outsideCodeSpans(part.text, (prose) => prose.replaceAll('{{', '<span v-pre>{{</span>')),
          },
    ),
  );
}
