import '@spillway/node-version/require';
import { writeGenerated } from '../generated-files.js';
import { learnAll } from './learn.js';

const learnt = learnAll();
await writeGenerated(learnt);
for (const { report } of learnt) console.log(report);
