import type { Guard } from './guard.js';
import { guardsOfAdapters } from './guards-of-adapters.js';
import { guardsOfAppends } from './guards-of-appends.js';
import { guardsOfBackups } from './guards-of-backups.js';
import { guardsOfCompaction } from './guards-of-compaction.js';
import { guardsOfForks } from './guards-of-forks.js';
import { guardsOfMcp } from './guards-of-mcp.js';
import { guardsOfOperations } from './guards-of-operations.js';
import { guardsOfOutputs } from './guards-of-outputs.js';
import { guardsOfPromises } from './guards-of-promises.js';
import { guardsOfStatements } from './guards-of-statements.js';
import { guardsOfReview } from './review/index.js';

/** Every guard with a test. */
export const guards: readonly Guard[] = [
  ...guardsOfStatements,
  ...guardsOfAppends,
  ...guardsOfCompaction,
  ...guardsOfOutputs,
  ...guardsOfOperations,
  ...guardsOfForks,
  ...guardsOfBackups,
  ...guardsOfMcp,
  ...guardsOfAdapters,
  ...guardsOfPromises,
  ...guardsOfReview,
];
