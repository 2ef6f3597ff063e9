/** Next calls it once before the server listens: settings that cannot work end the program, with a line for each. */
export async function register(): Promise<void> {
  // Only there can a program end, and Next builds this file for another runtime too.
  if (process.env.NEXT_RUNTIME === 'nodejs') (await import('./app/session/refuse-settings')).refuseSettings();
}
