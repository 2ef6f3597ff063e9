import '@spillway/node-version/require';
import { reportOf } from './report.js';
import { ranFiles } from './results.js';

/** Prints what failed and what took longest in the last `npm test` and `npm run test:trajectories`. */
console.log(reportOf(await ranFiles()));
