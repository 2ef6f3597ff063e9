import { settingsProblems } from './settings-problems';

/** Ends the program when its settings cannot work, with a line for each problem. */
export function refuseSettings(): void {
  const problems = settingsProblems(process.env);
  if (problems.length === 0) return;
  console.error(problems.join('\n'));
  process.exit(1);
}
