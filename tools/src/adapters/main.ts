import '@spillway/node-version/require';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatted } from '../formatted.js';
import { testsOf } from '../last-run/results.js';
import { repository } from '../repository.js';
import { adaptersDocument, missingCases, suite } from './document.js';
import { adapterPackages } from './packages.js';

/** `npm run adapters`: writes docs/adapters.md from the run of the suite before it. */
const packages = await adapterPackages();
const results = await testsOf(suite, '.test-results/adapters.json');
if (!results) throw new Error(`No results of ${suite}: start this by npm run adapters.`);
const path = 'docs/adapters.md';
await writeFile(join(repository, path), await formatted(path, adaptersDocument(packages, results)));
const missing = missingCases(packages, results);
for (const line of missing) console.log(line);
console.log(`${path}: ${packages.length} adapters, ${results.length} results`);
process.exitCode = missing.length === 0 ? 0 : 1;
