import '@spillway/node-version/require';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { learnAll } from './learn.js';

for (const { file, source, report } of learnAll()) {
  writeFileSync(join(repository, file), source);
  console.log(report);
}
