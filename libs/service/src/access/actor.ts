import type { CallerRow } from '@spillway/store';

/** The name of a caller in the audit log. */
export const actorOf = ({
  keyId,
  sessionId,
  token,
}: Pick<CallerRow, 'keyId' | 'sessionId' | 'token'>): string => {
  if (token !== null) return `token:${token.id}`;
  return sessionId === null ? `key:${keyId}` : `session:${sessionId}`;
};
