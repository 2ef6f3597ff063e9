import '@spillway/node-version/require';
import { reportOf } from './report.js';
import { ranFiles } from './results.js';

/** Prints what failed and what took longest in the last run of tests. */
console.log(reportOf(await ranFiles()));
