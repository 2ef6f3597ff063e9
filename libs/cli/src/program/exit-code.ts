/** What the program's exit code says. They are stable: scripts may rely on them. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  noAccess: 3,
  notFound: 4,
  unavailable: 5,
  conflict: 6,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** One line for each, in help texts. */
export const exitCodeMeanings: Record<ExitCode, string> = {
  [exitCode.done]: 'done',
  [exitCode.failed]: 'failed; of doctor, replay and restore: something is wrong',
  [exitCode.wrongUsage]: 'the call, a setting or an input file is wrong',
  [exitCode.noAccess]: 'the key is missing, refused, or lacks a scope',
  [exitCode.notFound]: 'there is no such thread, message or key',
  [exitCode.unavailable]: 'the server cannot be reached, or is not available',
  [exitCode.conflict]: 'what is recorded differs from what was sent',
};
