import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { repositoryFiles } from '../repository-files.js';
import type { Say } from '../check/check.js';
import { deniedTerms, findInCode, findInMarkdown } from './denied-terms.js';

/** History, quotations, words of users, and tables that are rendered from names of tests. */
const exempt =
  /^(CHANGELOG\.md|docs\/(adr\/|glossary\.md|sabotage\.md|review\.md)|samples\/)|\/generated\/|\/(cues|replacement|languages)\/(english-)?weights\.ts|libs\/client\/src\/schema\.ts/;
/** Strings of these files reach users: texts of the console, errors, descriptions of the API. */
const shown = /^(apps|libs\/(blobs|contracts|engine|jobs|llm|service|store))\/(?!.*\.test\.tsx?$).*\.tsx?$/;

/** The glossary's terms are the only ones: docs, comments and shown texts use none of those that it denies. */
export async function checkGlossary(say: Say): Promise<string[]> {
  const terms = deniedTerms(await readFile(join(repository, 'docs/glossary.md'), 'utf8'));
  const paths = (await repositoryFiles()).filter((path) => /\.(md|tsx?)$/.test(path) && !exempt.test(path));
  const complaints: string[] = [];
  for (const path of paths) {
    const text = await readFile(join(repository, path), 'utf8').catch(() => '');
    const found = path.endsWith('.md')
      ? findInMarkdown(text, terms)
      : findInCode(path, text, terms, { strings: shown.test(path) });
    for (const { line, term } of found)
      complaints.push(`${path}:${line}: "${term}" is not our term, see docs/glossary.md`);
  }
  say(`${terms.length} terms are denied in ${paths.length} files`);
  return complaints;
}
