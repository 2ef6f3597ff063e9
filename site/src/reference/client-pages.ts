import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headingsOf } from '../markdown/headings.js';
import type { Page } from '../pages/page.js';
import { repository } from '../repository.js';

/** The entry points of the client: their file of TypeDoc, address, title and first lines. */
const entries = [
  ['index', '/client/api', 'Client: classes and types', 'Every export of `@spillway/client`.'],
  [
    'agent',
    '/client/agent',
    'Client: for adapters',
    'Every export of `@spillway/client/agent`, of which the adapters are made.',
  ],
  [
    'typed',
    '/client/typed',
    'Client: by paths',
    'Every export of `@spillway/client/typed`, which needs openapi-fetch.',
  ],
] as const;

const plugin = [
  ...['--plugin', 'typedoc-plugin-markdown', '--outputFileStrategy', 'modules'],
  ...['--hideBreadcrumbs', 'true', '--hidePageHeader', 'true', '--useCodeBlocks', 'true'],
  ...['--logLevel', 'Warn'],
];

let made: Page[] | undefined;

/**
 * The reference of the client, by TypeDoc from its doc comments. Throws with every export that has none. Made once for
 * each process: it takes seconds.
 */
export function clientPages(): Page[] {
  made ??= makePages();
  return made;
}

function makePages(): Page[] {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-client-pages-'));
  try {
    const typedoc = join(repository, 'node_modules/typedoc/bin/typedoc');
    const args = [typedoc, '--options', 'libs/client/typedoc.json', '--out', folder, ...plugin];
    execFileSync(process.execPath, args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
    return entries.map(([file, path, title, first]) => {
      const text = readFileSync(join(folder, `${file}.md`), 'utf8');
      return { path, title, source: null, text: pageText(text, title, first) };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Gives a page of TypeDoc its title and the addresses of the site. */
export function pageText(text: string, title: string, first: string): string {
  const addresses = new Map(entries.map(([file, path]) => [`${file}.md`, path as string]));
  const linked = text.replace(/\]\((\w+\.md)(#[^)]*)?\)/g, (link, file: string, hash = '') => {
    const address = addresses.get(file);
    return address === undefined ? link : `](${address}${hash})`;
  });
  const anchors = new Set(headingsOf(linked).map(({ anchor }) => anchor));
  // TypeDoc numbers the anchor of a type that a value of nearly the same name shares, also where it leaves out the value.
  const found = linked.replace(/\]\(#([^)]*?)(-\d+)\)/g, (link, anchor: string, number: string) =>
    anchors.has(anchor + number) ? link : `](#${anchor})`,
  );
  return [`# ${title}`, first, found.replace(/^# .*\n+/, '')].join('\n\n');
}
