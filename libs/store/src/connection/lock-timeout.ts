/** How long a statement waits for a lock, in milliseconds. */
export const lockMs = 5_000;
