import { CueTable } from './cue-table.js';
import { bias, weightsByCue } from './weights.js';
import { eachCue, verdictCues, type Verdicts } from './cues-of.js';
import { readWeights } from './read-weights.js';

const cues = readWeights(weightsByCue);
const table = new CueTable(cues.map(({ name }) => name));
const weights = Float64Array.from(cues, ({ weight }) => weight);
/** The number of the sentence in which each cue was seen last, so that it counts once in each. */
const seenIn = new Float64Array(cues.length);
let sentences = 0;

/** What the words of a sentence say, before anybody looks at its grammar. */
export interface Evidence {
  /** The sum of what its cues weigh. */
  sum: number;
  /** How many of them are known. */
  known: number;
}

export function evidenceOf(sentence: string): Evidence {
  const evidence = { sum: 0, known: 0 };
  sentences++;
  eachCue(sentence, (kind, one, two, three, four) => {
    const place = table.placeOf(kind, one, two, three, four);
    if (place < 0 || seenIn[place] === sentences) return;
    seenIn[place] = sentences;
    evidence.sum += weights[place]!;
    evidence.known++;
  });
  return evidence;
}

/**
 * How much a sentence looks like a standing instruction: above 0 more than like anything else. The sum of what its
 * cues weigh, by the root of how many there are.
 */
const scoreFor = ({ sum, known }: Evidence): number => bias + (3 * sum) / Math.sqrt(Math.max(1, known));

export function scoreOf({ sum, known }: Evidence, verdicts: Verdicts): number {
  const places = verdictCues(verdicts)
    .map((cue) => table.placeOf('', cue))
    .filter((place) => place >= 0);
  return scoreFor({
    sum: places.reduce((total, place) => total + weights[place]!, sum),
    known: known + places.length,
  });
}

/** A sentence has one cue of each of these kinds. */
const kindsOfVerdicts = [/^ruled-out:/, /^rules:/, /^(?:no-)?rules$/];
const heaviestVerdicts = kindsOfVerdicts.reduce(
  (sum, kind) =>
    sum + cues.reduce((most, { name, weight }) => (kind.test(name) ? Math.max(most, weight) : most), 0),
  0,
);

/** At least what `scoreOf` gives, whatever the verdicts are: below the least that counts, they need not be asked for. */
export function highestScore({ sum, known }: Evidence): number {
  const most = sum + heaviestVerdicts;
  // A sum below 0 is the closer to it the more cues share it.
  return scoreFor({ sum: most, known: most < 0 ? known + kindsOfVerdicts.length : known });
}
