import { isBoilerplate } from '../failure/failure-rules.js';

/** How much of what a line is worth goes over to the next one, and to the one before. */
const onward = 0.86;
const onwardIndented = 0.92;
const onwardOverBlank = 0.8;
const onwardOverCalm = 0.5;
const backward = 0.62;

/** Worth too little to be looked at. */
const negligible = 0.3;

/** Frames of a stack after the first say little, and what succeeded says nothing. */
const frameShare = 0.3;
const calmShare = 0.12;

/**
 * What each line is worth together with what stands around it: a line that says why something failed lends part of
 * its worth to the lines after it and less to those before, until a step ends.
 */
export function spreadWorth(bare: readonly string[], scores: readonly number[]): Float64Array {
  const worth = Float64Array.from(scores);
  lendOnward(bare, scores, worth);
  lendBackward(bare, scores, worth);
  return worth;
}

function lendOnward(bare: readonly string[], scores: readonly number[], worth: Float64Array): void {
  let carried = 0;
  /** Indent of the line that lends: what is deeper belongs to it. */
  let indent = 0;
  let frames = 0;
  for (let i = 0; i < bare.length; i++) {
    if (carried < negligible && scores[i]! < negligible) {
      carried = 0;
      continue;
    }
    const line = bare[i]!;
    if (line.trim() === '') {
      carried *= onwardOverBlank;
      continue;
    }
    if (isEnd(line)) carried = 0;
    carried *= indentOf(line) > indent ? onwardIndented : onward;
    let lent = carried;
    if (isFrame(line)) lent *= frames++ > 0 ? frameShare : 1;
    else frames = 0;
    if (isCalm(line)) {
      carried *= onwardOverCalm;
      lent *= calmShare;
    }
    if (scores[i]! >= carried) {
      carried = scores[i]!;
      indent = indentOf(line);
    }
    if (isWorthless(line)) lent = 0;
    worth[i] = Math.max(worth[i]!, lent);
  }
}

function lendBackward(bare: readonly string[], scores: readonly number[], worth: Float64Array): void {
  let carried = 0;
  for (let i = bare.length - 1; i >= 0; i--) {
    if (carried < negligible && scores[i]! < negligible) {
      carried = 0;
      continue;
    }
    const line = bare[i]!;
    if (line.trim() === '') continue;
    if (isEnd(line)) carried = 0;
    carried *= backward;
    if (!isWorthless(line)) worth[i] = Math.max(worth[i]!, isCalm(line) ? carried * calmShare : carried);
    carried = Math.max(carried, scores[i]!);
  }
}

/** Rulers are boilerplate, and yet frame what failed. */
const isWorthless = (line: string): boolean => isBoilerplate(line) && !isRuler(line);

const indentOf = (line: string): number => line.length - line.trimStart().length;

const isRuler = (line: string): boolean => /^\s*[-=]{3,}\s*$/.test(line);

/** What runners print once a step is over. */
const isEnd = (line: string): boolean => /travis_(?:fold|time):|^##\[(?:group|endgroup|section)\]/.test(line);

/** What went well. */
const isCalm = (line: string): boolean =>
  /^\s*(?:ok \d+|✓|✔|√|PASS\b|\[ *(?:OK|RUN) *\]|--- PASS)|\.\.\. ?(?:ok|passed|yes|done)\s*$|\bPASSED\s*$|^\s*(?:Compiling|Downloading|Downloaded|Unpacking|Selecting|Setting up|Get:\d|CC|CXX|Building C)\b|\bwarning: /i.test(
    line,
  );

const isFrame = (line: string): boolean =>
  /^\s+at (?:new |async )?[\w.$<>[\] ]{0,120}\(?[\w./:\\<>@-]{0,300}:\d+(?::\d+)?\)?$|^\s+at [\w.$/<>]{1,200}\([\w. ]{1,80}(?::\d+)?\)|^\s+from \S{1,200}:\d+/.test(
    line,
  );
