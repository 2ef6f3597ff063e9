/** Lines first..last (from 0, last included) of which a runner says that they failed; `marker` is where it says so. */
export interface FailingStep {
  first: number;
  /** Where its last part starts: a fold, or a command that was echoed. */
  part: number;
  last: number;
  marker: number;
}

/** How a runner says that a step of it ended badly. */
const runnerMarkers: readonly RegExp[] = [
  /The command ".{0,400}" (?:exited with [1-9]|failed)/,
  /" exited with [1-9]\d{0,2}\.?$/,
  /##\[error\](?:Process completed|The process .{0,200}failed|Bash exited)/,
  /^ERROR: Job failed|^Finished: FAILURE|marked build as failure/,
  /^(?:No output has been received|The job exceeded the maximum|The log length has exceeded)/,
];

/** How a tool says that what it ran failed: the reason stands shortly before. */
const toolMarkers: readonly RegExp[] = [
  /\b(?:Process|Command|Script|Job|Build|Task|Step)\b.{0,80}\b(?:exited|failed|finished|completed|ended) with (?:exit |error |non-zero ){0,2}(?:code|status)? ?:?[1-9]\d*/i,
  /\berror Command failed|^(?:g?make|ninja)(?:\[\d+\])?: \*\*\* |^ninja: build stopped/,
  /^npm (?:ERR!|error) (?:code|errno|Lifecycle)/,
  /^BUILD FAILED|^\[INFO\] BUILD FAILURE|^FAILURE: Build failed/,
];
const lastResort = /Done\. Your build exited with [1-9]/;

/** Tools that say why say it before or right after they say that. */
const linesAfter = 20;

/** Where a runner starts another step: what stands before has to do with something else. */
const starts =
  /travis_time:start|^##\[(?:group\]Run |section\]Starting)|The command ".{0,400}" exited with 0|travis_fold:end:(?:system_info|git|cache|install|before|rvm|apt)/;
/** Where a part of a step starts, or a command is echoed, by whomever: what stands before may still matter. */
const parts = /travis_fold:(?:start|end)|^##\[(?:group|endgroup|section)\]|^\$ \S|^> \S+@\S+ \S+/;

const any = (patterns: readonly RegExp[], line: string): boolean =>
  patterns.some((pattern) => pattern.test(line));

/** Does a runner say here that a step failed? */
export const isRunnerMarker = (line: string): boolean => any(runnerMarkers, line) || lastResort.test(line);

/** Does a tool say here that something failed, without saying why? */
export const isToolMarker = (line: string): boolean => any(toolMarkers, line);

/**
 * Steps that failed, in file order: each from the last start before its marker. What the runner says goes before what
 * tools say; without either the whole log is one step that ends where the log does.
 */
export function failingSteps(lines: readonly string[]): FailingStep[] {
  const byRunner = stepsBefore(lines, (line) => any(runnerMarkers, line));
  if (byRunner.length > 0) return byRunner;
  const byTool = stepsBefore(lines, isToolMarker);
  if (byTool.length > 0)
    return byTool.map((step) => ({ ...step, last: Math.min(lines.length - 1, step.marker + linesAfter) }));
  const byAll = stepsBefore(lines, (line) => lastResort.test(line));
  if (byAll.length > 0) return byAll;
  return [{ first: 0, part: 0, last: lines.length - 1, marker: lines.length }];
}

/** A marker right after another says the same thing again; a start without anything after it started nothing. */
function stepsBefore(lines: readonly string[], isMarker: (line: string) => boolean): FailingStep[] {
  const steps: FailingStep[] = [];
  let first = 0;
  let part = 0;
  let pendingPart: number | null = null;
  let pending: number | null = null;
  let lastMarker = -10;
  lines.forEach((line, i) => {
    if (line.length > 4 && isMarker(line)) {
      if (i - lastMarker > 3) steps.push({ first, part, last: i - 1, marker: i });
      lastMarker = i;
    } else if (starts.test(line)) pending = i;
    else if (parts.test(line)) pendingPart = i;
    else if (line.trim() !== '' && !/^travis_time:end/.test(line)) {
      if (pending !== null) first = part = pending;
      else if (pendingPart !== null) part = pendingPart;
      pending = pendingPart = null;
    }
  });
  return steps;
}
