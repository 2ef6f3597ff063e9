import { compiledTestFailures } from './compiled-tests.js';
import { compilerFailures } from './compilers.js';
import { linterFailures } from './linters.js';
import { nativeCompilerFailures } from './native-compilers.js';
import { packageFailures } from './packages.js';
import { programFailures } from './programs.js';
import type { FailureSample } from './sample.js';
import { scriptTestFailures } from './script-tests.js';
import { systemFailures } from './systems.js';

/** Failures as many tools tell them. */
export const failureSamples: readonly FailureSample[] = [
  ...nativeCompilerFailures,
  ...compilerFailures,
  ...scriptTestFailures,
  ...compiledTestFailures,
  ...packageFailures,
  ...linterFailures,
  ...systemFailures,
  ...programFailures,
];
