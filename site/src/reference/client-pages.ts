import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
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

/** What TypeDoc reads. Packages and their versions are in the lock file. */
const inputs = [
  ...['libs/client/src/**/*.ts', 'libs/client/*.json'],
  ...['tsconfig.base.json', 'package.json', 'package-lock.json'],
];

/** Where pages are kept, in a folder for each state of the inputs. */
const kept = '.cache/client-pages';

/**
 * The reference of the client, by TypeDoc from its doc comments. Throws with every export that has none. TypeDoc takes
 * seconds, so it runs once for each state of its inputs.
 */
export function clientPages(): Page[] {
  made ??= readPages(typedocFolder());
  return made;
}

function readPages(folder: string): Page[] {
  return entries.map(([file, path, title, first]) => {
    const text = readFileSync(join(folder, `${file}.md`), 'utf8');
    return { path, title, source: null, text: pageText(text, title, first) };
  });
}

/** Returns the folder that holds what TypeDoc writes for the present sources. */
function typedocFolder(): string {
  const folder = join(repository, kept, inputHash());
  if (existsSync(folder)) return folder;
  mkdirSync(join(repository, kept), { recursive: true });
  const own = mkdtempSync(join(repository, kept, 'unfinished-'));
  try {
    const typedoc = join(repository, 'node_modules/typedoc/bin/typedoc');
    const args = [typedoc, '--options', 'libs/client/typedoc.json', '--out', own, ...plugin];
    execFileSync(process.execPath, args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
    // Whole or not there: only a run without complaints is kept.
    try {
      renameSync(own, folder);
    } catch (error) {
      // Another process made the same pages at the same time.
      if (!existsSync(folder)) throw error;
    }
    return folder;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function inputHash(): string {
  const hash = createHash('sha256').update(JSON.stringify(plugin));
  for (const path of fs.globSync(inputs, { cwd: repository }).toSorted())
    hash.update(`\n${path}\n`).update(readFileSync(join(repository, path)));
  return hash.digest('hex');
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
