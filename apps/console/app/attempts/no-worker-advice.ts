/** What to do when due threads stay due. */
export const noWorkerAdvice = 'Check that a worker runs and reaches Postgres.';
