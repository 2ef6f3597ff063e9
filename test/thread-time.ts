/**
 * Milliseconds of CPU that this thread has used: what else the machine does takes no part in them. Before Node.js 24
 * those of the process.
 */
export function threadMs(): number {
  const { user, system } =
    'threadCpuUsage' in process ? process.threadCpuUsage() : (process as NodeJS.Process).cpuUsage();
  return (user + system) / 1000;
}

/** What a call takes of it. */
export const threadMsOf = (run: () => unknown): number => {
  const started = threadMs();
  run();
  return threadMs() - started;
};
