import { instructionKinds } from '../instruction.js';
import { ruledOutKinds } from '../ruled-out.js';
import { eachCue, verdictCues, type Verdicts } from './cues-of.js';
import { noEvidence, WeighedCues, type Evidence } from './weighed-cues.js';
import { bias, weightsByCue } from './weights.js';

const weighed = new WeighedCues(weightsByCue, bias);

/** What the words of a sentence say, before anybody looks at its grammar. */
export const evidenceOf = (sentence: string): Evidence =>
  weighed.evidenceOf((onCue) => eachCue(sentence, onCue));

/** How much a sentence looks like a standing instruction: above 0 more than like anything else. */
export const scoreOf = (evidence: Evidence, verdicts: Verdicts): number =>
  weighed.scoreOf(weighed.with(evidence, verdictCues(verdicts)));

/** The most that the verdicts on a sentence weigh together. */
function heaviestVerdicts(): number {
  if (heaviest !== undefined) return heaviest;
  let most = -Infinity;
  for (const byRules of [null, ...instructionKinds])
    for (const ruledOut of [null, ...ruledOutKinds])
      most = Math.max(most, weighed.with(noEvidence, verdictCues({ byRules, ruledOut })).sum);
  return (heaviest = most);
}
let heaviest: number | undefined;
const countOfVerdicts = verdictCues({ byRules: null, ruledOut: null }).length;

/** At least what `scoreOf` gives, whatever the verdicts are: below the least that counts, they need not be asked for. */
export function highestScore({ sum, known }: Evidence): number {
  const most = sum + heaviestVerdicts();
  // A sum below 0 is the closer to it the more cues share it.
  return weighed.scoreOf({ sum: most, known: most < 0 ? known + countOfVerdicts : known });
}
