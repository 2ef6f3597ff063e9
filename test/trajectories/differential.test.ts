import { loadTrajectories } from '@spillway/testing';
import { testCuts } from '../differential/cuts-as-theirs.js';
import { expectedCuts } from './expected-cuts.js';

testCuts(loadTrajectories(), expectedCuts);
