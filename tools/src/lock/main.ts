import '@spillway/node-version/require';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { type Lock, packagesThatWarn, withoutWarnings } from './locked-engines.js';

/** `npm run lock`, after each `npm install` that changed the lock file. */
const file = join(repository, 'package-lock.json');
const lock = JSON.parse(await readFile(file, 'utf8')) as Lock;
const warned = packagesThatWarn(lock);
if (warned.length > 0) await writeFile(file, `${JSON.stringify(withoutWarnings(lock), null, 2)}\n`);
console.log(
  `package-lock.json: engines of ${warned.length} packages removed, which made npm warn on Node 20`,
);
