import type { Guard } from '../guard.js';
import { guardsOfModels } from './models.js';
import { guardsOfReviewedOutputs } from './outputs.js';
import { guardsOfStranger } from './stranger.js';

/** The repairs of what the review of version 1 found, by area. */
export const guardsOfReview: Guard[] = [...guardsOfStranger, ...guardsOfModels, ...guardsOfReviewedOutputs];
