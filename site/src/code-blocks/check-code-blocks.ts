import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transitionsOf } from '../markdown/state-diagram.js';
import { documentPaths } from '../pages/sections.js';
import { repository } from '../repository.js';
import { at, blocksOf, type CodeBlock } from './block.js';
import { codeSpanComplaints } from './code-spans.js';
import { httpComplaints } from './kinds/http.js';
import { jsonComplaints } from './kinds/json.js';
import { typeComplaints } from './kinds/types.js';
import { yamlComplaints } from './kinds/yaml.js';
import { shellComplaints } from './shell/shell.js';
import { unchecked, type Unchecked } from './unchecked.js';

export interface CodeBlockReport {
  /** How many blocks were checked in which way. Together they are all blocks. */
  counts: Record<string, number>;
  complaints: string[];
}

/** A section whose blocks in `runLanguages` `npm run quick-starts` runs as they stand. Its others are checked besides. */
export interface RunSection {
  page: string;
  heading: string;
}

/** How blocks of a language are checked, and how the report calls it. */
const languages: Record<string, { way: string; check: (text: string) => string[] }> = {
  json: { way: 'parsed', check: jsonComplaints },
  yaml: { way: 'parsed', check: yamlComplaints },
  mermaid: { way: 'parsed', check: diagramComplaints },
  http: { way: 'compared with the API', check: httpComplaints },
  sh: { way: 'compared with programs and the API', check: shellComplaints },
};
const typed = new Set(['ts', 'js']);
const runLanguages = new Set(['sh', 'js', 'toml', 'dotenv']);

/** Records of the past: what they name may be gone. */
const history = /^(CHANGELOG\.md|docs\/adr\/|docs\/review\.md)/;

/** Checks every fenced block, and the routes and scripts that prose names, of every document. */
export function checkCodeBlocks(runElsewhere: readonly RunSection[]): CodeBlockReport {
  const documents = documentPaths().map((page) => ({
    page,
    text: readFileSync(join(repository, page), 'utf8'),
  }));
  const blocks = documents.flatMap(({ page, text }) => blocksOf(page, text));
  const report = blockReport(blocks, runElsewhere, unchecked);
  const spans = documents
    .filter(({ page }) => !history.test(page))
    .flatMap(({ page, text }) =>
      codeSpanComplaints(text).map(({ line, message }) => at({ page, line }, message)),
    );
  return { ...report, complaints: [...report.complaints, ...spans] };
}

/** Checks blocks, each in one way. No block is left out but those of the table. */
export function blockReport(
  blocks: readonly CodeBlock[],
  runElsewhere: readonly RunSection[],
  exceptions: readonly Unchecked[],
): CodeBlockReport {
  const counts: Record<string, number> = {};
  const count = (way: string) => (counts[way] = (counts[way] ?? 0) + 1);
  const used = new Set<Unchecked>();
  const toType: CodeBlock[] = [];
  const complaints = blocks.flatMap((block) => {
    const { page, heading, language, text } = block;
    const exception = exceptions.find((row) => row.page === page && text.startsWith(row.start));
    if (exception) {
      used.add(exception);
      count('not checked, for a listed reason');
      return language === 'text' ? [] : [at(block, 'is listed as unchecked, but its language is not text')];
    }
    const run = runElsewhere.find((section) => section.page === page && section.heading === heading);
    if (run && runLanguages.has(language)) {
      count('run by npm run quick-starts');
      return [];
    }
    if (typed.has(language)) {
      count('type-checked');
      toType.push(block);
      return [];
    }
    const kind = Object.hasOwn(languages, language) ? languages[language] : undefined;
    if (!kind) return [at(block, unknownLanguage(language))];
    count(kind.way);
    return kind.check(text).map((message) => at(block, message));
  });
  const stale = exceptions
    .filter((row) => !used.has(row))
    .map(
      ({ page, start }) => `site/src/code-blocks/unchecked.ts: no block of ${page} begins with "${start}"`,
    );
  return { counts, complaints: [...complaints, ...typeComplaints(toType), ...stale] };
}

const unknownLanguage = (language: string): string =>
  language === 'text'
    ? 'is text, and has no row with a reason in site/src/code-blocks/unchecked.ts'
    : `no check knows the language "${language}": use ${[...Object.keys(languages), ...typed, 'text'].join(', ')}`;

function diagramComplaints(text: string): string[] {
  try {
    transitionsOf(text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
