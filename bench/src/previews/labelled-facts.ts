import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { outputsFolder } from './labelled-logs.js';

/** An output that is no log, with what a reader should learn from its preview. */
export interface FactFile {
  name: string;
  kind: string;
  text: string;
  /** Each fact in any of its spellings. */
  facts: string[][];
}

interface Label {
  file: string;
  content_type: string;
  columns?: string[];
  data_rows?: number;
  last_row?: string[];
  keys?: string[];
  largest_arrays?: { count: number; path: string; keys: string[] }[];
  title?: string;
  headings?: [string, string][];
  files?: string[];
  commits?: number;
  symbols?: [string, string, number][];
}

const number = (n: number): string[] => [String(n), n.toLocaleString('en-US')];

/**
 * Facts by the kind of the output, from labels made by other parsers: columns, counts and last rows of tables; keys
 * and lengths of JSON; titles and headings of pages; files and commits of diffs; top declarations with their lines.
 */
export function labelledFacts(): FactFile[] {
  const labels = JSON.parse(readFileSync(resolve(outputsFolder, 'structured.json'), 'utf8')) as Label[];
  return labels.flatMap((label) => {
    const facts = factsOf(label);
    if (facts.length === 0) return [];
    const text = readFileSync(resolve(outputsFolder, label.file), 'utf8');
    return [{ name: label.file, kind: label.content_type.split('/')[0]!, text, facts }];
  });
}

function factsOf(label: Label): string[][] {
  const {
    columns = [],
    data_rows: rows,
    last_row: last = [],
    keys = [],
    largest_arrays: [array] = [],
  } = label;
  const { title, headings = [], files = [], commits, symbols = [] } = label;
  // The headings of the site around a page, which stand before its own, are no content of it.
  const own = headings.filter(([level]) => level === 'h1' || level === 'h2').slice(-4);
  const top = symbols.filter(
    ([kind, name]) => !name.includes('.') && /class|function|interface|struct|^fn$|trait/i.test(kind),
  );
  return [
    ...columns.map((column) => [column]),
    ...(rows === undefined ? [] : [number(rows)]),
    ...last.slice(0, 2).map((cell) => [cell]),
    ...(label.content_type === 'json' ? keys.slice(0, 12).map((key) => [key]) : []),
    ...(array ? [number(array.count), ...array.keys.slice(0, 8).map((key) => [key])] : []),
    ...(title === undefined ? [] : [[title]]),
    ...own.map(([, heading]) => [heading]),
    ...files.slice(0, 12).map((file) => [file]),
    ...(commits === undefined ? [] : [number(commits)]),
    ...top.slice(0, 12).map(([, name, line]) => [`${line}: ${name}`, `${name}`]),
  ];
}
