import { AccessError } from '@spillway/client';

/** Whether the key lacks a scope, or is a token for one thread alone. */
export const isForbidden = (error: unknown): boolean => error instanceof AccessError && error.status === 403;
