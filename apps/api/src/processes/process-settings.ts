/** What the program must know before it loads anything else. */
export interface ProcessSettings {
  /** Processes that serve the API on its port. */
  count: number;
  logLevel: string;
}

const maxProcesses = 64;

/** Reads `API_WORKERS`; the other variables are read by each process that serves. Throws when it is no such number. */
export function processSettings(env: NodeJS.ProcessEnv): ProcessSettings {
  const given = env.API_WORKERS?.trim() || '1';
  const count = /^\d+$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > maxProcesses) {
    const error = new Error(
      `API_WORKERS must be a whole number from 1 to ${maxProcesses} and is "${given}".`,
    );
    error.name = 'EnvError';
    throw error;
  }
  return { count, logLevel: env.LOG_LEVEL || 'info' };
}
