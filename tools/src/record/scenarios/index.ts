import type { Scenario } from '../scenario.js';
import { dependencyAudit } from './dependency-audit.js';
import { deskThreads } from './desk-threads.js';
import { halfARename } from './half-a-rename.js';
import { lateTrigger } from './late-trigger.js';
import { oneLongTurn } from './one-long-turn.js';
import { readingTours } from './reading-tours.js';
import { releaseReview } from './release-review.js';

export const scenarios: Scenario[] = [
  lateTrigger,
  dependencyAudit,
  halfARename,
  releaseReview,
  oneLongTurn,
  ...readingTours,
  ...deskThreads,
];
