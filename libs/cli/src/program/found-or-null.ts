import { NotFoundError } from '@spillway/client';

/** The answer, or null where the server has no such thing. Rejects as the answer does for anything else. */
export const foundOrNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
