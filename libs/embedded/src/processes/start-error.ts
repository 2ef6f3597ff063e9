/** A start failure that the user can fix. Its message is the one line they see: what is wrong, what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** The code of a failed system call (ECONNREFUSED, EACCES...), or undefined. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
