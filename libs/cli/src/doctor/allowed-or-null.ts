import { AccessError } from '@spillway/client';

/** Whether the key lacks a scope, or is a token for one thread alone. */
export const isForbidden = (error: unknown): boolean => error instanceof AccessError && error.status === 403;

/** The answer, or null where the key may not have it. Rejects as the answer does for anything else. */
export const allowedOrNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (isForbidden(error)) return null;
    throw error;
  });
