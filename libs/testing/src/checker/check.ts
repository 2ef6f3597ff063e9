import { acknowledged } from './acknowledged.js';
import { bodies } from './bodies.js';
import { chains } from './chains.js';
import { contexts } from './contexts.js';
import { gatherEvidence, type RunToCheck } from './evidence.js';
import { quiescence } from './quiescence.js';
import { storedOutputs } from './stored-outputs.js';
import type { Violation } from './violation.js';

/**
 * The violated invariants of a finished run, from its clients' journals, the rows and the files. Reads only. Empty when
 * all hold.
 */
export async function checkRun(run: RunToCheck): Promise<Violation[]> {
  const evidence = await gatherEvidence(run);
  return [
    ...acknowledged(evidence),
    ...(await bodies(evidence, run.outputsFolder)),
    ...chains(evidence),
    ...quiescence(evidence),
    ...contexts(evidence),
    ...storedOutputs(evidence),
  ];
}
