import { createHash, timingSafeEqual } from 'node:crypto';

/** Tells whether an Authorization header has the operator's password. */
export type OperatorCheck = (header: string | undefined) => boolean;

/**
 * Returns a function that tells whether an Authorization header has the operator's password, by HTTP Basic with any
 * user name. Passwords are compared by their digests, in constant time.
 */
export function operatorCheck(password: string): OperatorCheck {
  const expected = digestOf(password);
  return (header) => timingSafeEqual(digestOf(passwordOf(header)), expected);
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The password of a header of HTTP Basic; an empty one, which no password is, when there is none. */
function passwordOf(header: string | undefined): string {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(header ?? '')?.[1] ?? '';
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

/** The header that asks a browser or Prometheus for the password. */
export const operatorChallenge = 'Basic realm="Spillway", charset="UTF-8"';

export const operatorRefusal = 'This page needs the operator password (SPILLWAY_OPERATOR_PASSWORD).';
