import { byWord } from './by-word.js';
import { instructionKinds, type InstructionKind } from '../instruction.js';
import type { RuledOut } from '../ruled-out.js';
import { cuesOfRules, partsOf, takeCues, type CueTaker } from './cues-of.js';
import { bias, weightsByCue } from './weights.js';

const cues = weightsByCue
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [weight, ...names] = line.split(' ');
    return names.map((name) => ({ name, weight: Number(weight) }));
  });
const weights = Float64Array.from(cues, ({ weight }) => weight);

/** The place of a cue among the weights, by its name; for those that come in pieces, by one piece after the other. */
const placeOf = new Map(cues.map(({ name }, i) => [name, i]));
type Pairs = Map<string, Map<string, number>>;
const pairs: Pairs = new Map();
const subjects: Pairs = new Map();
const twoForms: Pairs = new Map();
const threeForms = new Map<string, Pairs>();

const within = <K, V>(map: Map<K, Map<string, V>>, key: K): Map<string, V> => {
  const inner = map.get(key) ?? new Map<string, V>();
  map.set(key, inner);
  return inner;
};
const setPair = (map: Pairs, first: string, second: string, place: number): void =>
  void within(map, first).set(second, place);

const namesAlone = /^(?:first|clause|words|rules|ruled-out):/;
cues.forEach(({ name }, place) => {
  if (namesAlone.test(name)) return;
  const [, before, word] = /^pair:(.+)_(.+)$/.exec(name) ?? [];
  if (word !== undefined) return setPair(pairs, before!, word, place);
  const [, subject, spoken] = /^f:(.+)\+(.+)$/.exec(name) ?? [];
  if (spoken !== undefined) return setPair(subjects, subject!, spoken, place);
  const [one, two, three] = name.split('_');
  if (three !== undefined) setPair(within(threeForms, one!), two!, three, place);
  else if (two !== undefined) setPair(twoForms, one!, two, place);
});

const placesOfWord = byWord((word): readonly number[] =>
  [word, ...partsOf(word)].flatMap((cue) => placeOf.get(cue) ?? []),
);

/** The number of the sentence in which each cue was seen last, so that it counts once in each. */
const seenIn = new Float64Array(cues.length);
let sentences = 0;
let sum = 0;
let known = 0;

function count(place: number | undefined): void {
  if (place === undefined || seenIn[place] === sentences) return;
  seenIn[place] = sentences;
  sum += weights[place]!;
  known++;
}

const counter: CueTaker = {
  named: (cue) => count(placeOf.get(cue)),
  word: (word) => placesOfWord(word).forEach(count),
  words: (before, word) => count(pairs.get(before)?.get(word)),
  forms: (twoBefore, before, form) => {
    count(twoForms.get(before)?.get(form));
    count(threeForms.get(twoBefore)?.get(before)?.get(form));
  },
  withSubject: (subject, word) => count(subjects.get(subject)?.get(word)),
};

/** The sum of what the cues of a sentence weigh, and how many of them have a weight. */
export interface Weighed {
  sum: number;
  known: number;
}

/** Weighs what can be seen of a sentence without the rules of grammar, of which `ruledOut` is what rules it out. */
export function weigh(sentence: string, ruledOut: RuledOut | null): Weighed {
  sentences++;
  sum = 0;
  known = 0;
  takeCues(sentence, ruledOut, counter);
  return { sum, known };
}

const ofRules = new Map(
  [null, ...instructionKinds].map((byRules) => {
    const weighed = cuesOfRules(byRules).flatMap((cue) => weights[placeOf.get(cue) ?? -1] ?? []);
    return [byRules, { sum: weighed.reduce((sum, weight) => sum + weight, 0), known: weighed.length }];
  }),
);

/**
 * How much a sentence looks like a standing instruction: above 0 more than like anything else. The sum of what its
 * cues weigh, by the root of how many there are. `byRules`: what the rules of grammar find in it.
 */
export function scoreOf({ sum, known }: Weighed, byRules: InstructionKind | null): number {
  const rules = ofRules.get(byRules)!;
  return bias + (3 * (sum + rules.sum)) / Math.sqrt(Math.max(1, known + rules.known));
}

/** What it scores at most, whatever the rules of grammar find in it. */
export function highestScore(weighed: Weighed): number {
  let highest = -Infinity;
  for (const byRules of ofRules.keys()) highest = Math.max(highest, scoreOf(weighed, byRules));
  return highest;
}
