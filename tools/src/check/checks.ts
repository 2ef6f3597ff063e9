import { checkAdapters } from './adapters.js';
import { checkAlerts } from '../metrics/check-alerts.js';
import type { Check } from './check.js';
import { checkMinimumVersions } from './minimum-versions.js';
import { checkCodeBlocks } from './code-blocks.js';
import { checkCues } from './cues.js';
import { checkFolderCycles } from '../folder-cycles/folder-cycles.js';
import { checkGeneratedClient } from './generated-client.js';
import { checkGlossary } from '../glossary/check-glossary.js';
import { checkLinkedTests } from './linked-tests.js';
import { checkCompose } from '../deploy/check-compose.js';
import { checkChart } from '../deploy/chart/check-chart.js';
import { checkMetricsPage } from '../metrics/check-page.js';
import { checkMigrations } from './migrations.js';
import { checkNodeEngines } from './node-engines.js';
import { checkSabotage } from './sabotage.js';
import { checkTree } from './tree.js';
import { checkWalks } from './walks.js';

/** Formatted files are not looked at again while they are unchanged. */
const cachedFormat = ['--cache', '--cache-strategy=content', '--cache-location=.cache/prettier'];

/** Started in this order, the slowest first. */
export const checks: Check[] = [
  // Types of tests and of the console too, which no build checks.
  { name: 'lint and types', command: ['oxlint', '--type-check', '--deny-warnings'] },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', ...cachedFormat, '.'] },
  {
    name: 'module boundaries',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.mjs',
      'apps',
      'libs',
      'tools',
      'bench',
      'site/src',
    ],
  },
  {
    name: 'docs site: it builds, and every link leads somewhere',
    // Nx has what it built from the same files. `npm run check` has built the packages, and see tools/build.mjs.
    command: ['nx', 'run', '@spillway/site:docs', '--exclude-task-dependencies', '--output-style=static'],
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'dependencies: none older than known to be safe, none from elsewhere', run: checkMinimumVersions },
  {
    name: 'Node.js: npm ci is silent on Node 20, and every package runs on the Node asked for',
    run: checkNodeEngines,
  },
  { name: 'cues: the weights are those that the labelled sentences give', run: checkCues },
  { name: 'code blocks: each runs, compiles or names what exists', run: checkCodeBlocks },
  { name: 'glossary: one term for each concept', run: checkGlossary },
  { name: 'tree: names of files, sizes of folders', run: checkTree },
  { name: 'engine: its folders import each other in the order of its index', run: checkFolderCycles },
  { name: 'walks: each flow can be followed in the files named', run: checkWalks },
  { name: 'OpenAPI and the typed client are up to date', run: checkGeneratedClient },
  { name: 'alerts: each rule is valid, is tested and says what to do', run: checkAlerts },
  { name: 'Helm chart: a real Helm renders objects that Kubernetes takes', run: checkChart },
  { name: 'Compose: the file follows the specification, and workers can be scaled', run: checkCompose },
  { name: 'metrics: docs/operations/metrics.md is up to date', run: checkMetricsPage },
  {
    name: 'features: each row has a test that passed',
    ofResults: true,
    run: (say) => checkLinkedTests(say, 'docs/features.md'),
  },
  {
    name: 'promises: each is proved by tests that passed',
    ofResults: true,
    run: (say) => checkLinkedTests(say, 'PROMISES.md', { eachRun: true }),
  },
  {
    name: 'faults: each is injected by a test that passed, or says why not',
    ofResults: true,
    run: (say) => checkLinkedTests(say, 'docs/faults.md', { mayExplain: true }),
  },
  {
    name: 'abuse: each is tried by a test that passed, or says why not',
    ofResults: true,
    run: (say) => checkLinkedTests(say, 'docs/abuse.md', { mayExplain: true }),
  },
  { name: 'adapters: each passed each case, and the page says so', ofResults: true, run: checkAdapters },
  { name: 'sabotage: each guard and its test are where the table says', run: checkSabotage },
  { name: 'migrations agree with schema.prisma', run: checkMigrations },
];
