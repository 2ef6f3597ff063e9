import { instructionKinds, type InstructionKind } from '../instruction.js';
import { ruledOutKinds, type RuledOut } from '../ruled-out.js';
import { eachCue, eachCueOfWord, verdictCues, type Verdicts } from './cues-of.js';
import { noEvidence, WeighedCues, withWeights, type Evidence } from './weighed-cues.js';
import { bias, weightsByCue } from './weights.js';

const weighed = new WeighedCues(weightsByCue, bias, eachCueOfWord);

/** The weights of the cues of a sentence, without those of the verdicts of grammar. */
export const evidenceOf = (sentence: string): Evidence =>
  weighed.evidenceOf((onCue, onWord) => eachCue(sentence, onCue, onWord));

/** How much a sentence looks like a standing instruction: above 0 more than like anything else. */
export const scoreOf = (evidence: Evidence, verdicts: Verdicts): number =>
  weighed.scoreOf(withWeights(evidence, weightsOf(verdicts)));

/** The weights of the cues of verdicts, cached: there are few verdicts, and a sentence is scored with several. */
function weightsOf({ byRules, ruledOut }: Verdicts): readonly number[] {
  const ofReason = knownWeights.get(ruledOut) ?? new Map<InstructionKind | null, readonly number[]>();
  knownWeights.set(ruledOut, ofReason);
  const weights = ofReason.get(byRules) ?? weighed.weightsOf(verdictCues({ byRules, ruledOut }));
  ofReason.set(byRules, weights);
  return weights;
}
const knownWeights = new Map<RuledOut | null, Map<InstructionKind | null, readonly number[]>>();

/** Maximum weight that the verdicts on a sentence have together. */
function heaviestVerdicts(): number {
  if (heaviest !== undefined) return heaviest;
  let most = -Infinity;
  for (const byRules of [null, ...instructionKinds])
    for (const ruledOut of [null, ...ruledOutKinds])
      most = Math.max(most, withWeights(noEvidence, weightsOf({ byRules, ruledOut })).sum);
  return (heaviest = most);
}
let heaviest: number | undefined;
const countOfVerdicts = verdictCues({ byRules: null, ruledOut: null }).length;

/** Returns an upper bound of `scoreOf` over all verdicts: where it is too low, the rules of grammar need not be run. */
export function highestScore({ sum, known }: Evidence): number {
  const most = sum + heaviestVerdicts();
  // A sum below 0 is the closer to it the more cues share it.
  return weighed.scoreOf({ sum: most, known: most < 0 ? known + countOfVerdicts : known });
}
