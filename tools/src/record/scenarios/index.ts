import type { Scenario } from '../scenario.js';
import { dependencyAudit } from './dependency-audit.js';
import { halfARename } from './half-a-rename.js';
import { lateTrigger } from './late-trigger.js';
import { releaseReview } from './release-review.js';

export const scenarios: Scenario[] = [lateTrigger, dependencyAudit, halfARename, releaseReview];
