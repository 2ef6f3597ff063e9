import type { Check } from './check.js';
import { checkFeatures } from './features.js';
import { checkMigrations } from './migrations.js';
import { checkSabotage } from './sabotage.js';
import { checkTree } from './tree.js';

/** In the order in which their failures are worth reading. */
export const checks: Check[] = [
  { name: 'types of the tests', command: ['tsc', '-p', 'tsconfig.tests.json'] },
  { name: 'types of the console', command: ['tsc', '--noEmit', '-p', 'apps/console/tsconfig.json'] },
  { name: 'lint', command: ['eslint', '--max-warnings=0', '.'] },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  {
    name: 'module boundaries',
    command: ['depcruise', '--config', '.dependency-cruiser.mjs', 'apps', 'libs', 'tools', 'bench'],
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'tree: sizes and names of files', run: checkTree },
  { name: 'OpenAPI and the typed client are up to date', command: ['node', 'tools/dist/check/generated.js'] },
  { name: 'features: each row has a test that passed', run: checkFeatures },
  { name: 'sabotage: each guard and its test are where the table says', run: checkSabotage },
  { name: 'migrations agree with schema.prisma', run: checkMigrations },
];
