import '@spillway/node-version/require';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { learnWeights, weightsFile } from './learn.js';

const { source, report } = learnWeights();
writeFileSync(join(repository, weightsFile), source);
console.log(report);
