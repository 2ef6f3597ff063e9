import type { Guard } from '../guard.js';
import { guardsOfAccess } from './access.js';
import { guardsOfBudget } from './budget.js';
import { guardsOfConsole } from './console.js';
import { guardsOfFormats } from './formats.js';
import { guardsOfLeftovers } from './leftovers.js';
import { guardsOfModels } from './models.js';
import { guardsOfReviewedOutputs } from './outputs.js';
import { guardsOfSearch } from './search.js';
import { guardsOfStranger } from './stranger.js';

/** The repairs of what the review of version 1 found, by area. */
export const guardsOfReview: Guard[] = [
  ...guardsOfAccess,
  ...guardsOfBudget,
  ...guardsOfConsole,
  ...guardsOfFormats,
  ...guardsOfLeftovers,
  ...guardsOfModels,
  ...guardsOfReviewedOutputs,
  ...guardsOfSearch,
  ...guardsOfStranger,
];
