import '@spillway/node-version/require';
import { writeGenerated } from '../generated-files.js';
import { testsOf } from '../last-run/results.js';
import { adaptersPage, missingCases, suite } from './document.js';
import { adapterPackages } from './packages.js';

/** `npm run adapters`: writes docs/adapters.md from the run of the suite before it. */
const packages = await adapterPackages();
const results = await testsOf(suite, '.test-results/adapters.json');
if (!results) throw new Error(`No results of ${suite}: start this by npm run adapters.`);
const page = await adaptersPage(packages, results);
await writeGenerated([page]);
const missing = missingCases(packages, results);
for (const line of missing) console.log(line);
console.log(`${page.path}: ${packages.length} adapters, ${results.length} results`);
process.exitCode = missing.length === 0 ? 0 : 1;
