import { nodeComplaint } from './index.js';

/**
 * Ends the process with one sentence when its Node.js is too old. Import it before everything else: modules are
 * evaluated in the order of their imports, so no other code of the program runs before it.
 */
const complaint = nodeComplaint(process.versions.node);
if (complaint !== null) {
  console.error(complaint);
  process.exit(1);
}
