import { randomFrom } from '../faulty-runs/faulty-run.js';
import { builds } from './builds.js';
import { clusters } from './clusters.js';
import { documents } from './documents.js';
import { Draw, type HeldOut } from './held-out-output.js';
import { servers } from './servers.js';
import { testRuns } from './test-runs.js';

const all: readonly HeldOut[] = [...builds, ...testRuns, ...clusters, ...servers, ...documents];

export interface HeldOutText {
  name: string;
  text: string;
  cause: string[];
  facts: readonly (readonly string[])[];
  isJson: boolean;
  isWhole: boolean;
}

/** Outputs of tools that nobody wrote a rule for, the same for the same seed. */
export function heldOutTexts(seed: number): HeldOutText[] {
  return all.map(({ name, make }) => {
    const {
      lines = [],
      text,
      cause,
      facts = [],
      isJson = false,
      isWhole = false,
    } = make(new Draw(randomFrom(seed + name.length * 7_919)));
    return { name, text: text ?? `${lines.join('\n')}\n`, cause: [...cause], facts, isJson, isWhole };
  });
}
