import { settingsProblems } from './app/session/settings-problems';

/** Next calls it once before the server listens: settings that cannot work end the program, with a line for each. */
export function register(): void {
  const problems = settingsProblems(process.env);
  if (problems.length === 0 || process.env.NEXT_RUNTIME !== 'nodejs') return;
  console.error(problems.join('\n'));
  process.exit(1);
}
