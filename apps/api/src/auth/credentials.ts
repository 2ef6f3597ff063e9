import type { Route } from '@spillway/contracts';

type Sent = Readonly<Record<string, unknown>>;

const bearer = /^Bearer ([\x21-\x7e]{1,200})$/i;
const plain = /^[\x21-\x7e]{1,200}$/;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const bearerIn = ({ authorization }: Sent): string | undefined => bearer.exec(textIn(authorization))?.[1];
const plainIn = (value: unknown): string | undefined => plain.exec(textIn(value))?.[0];

/**
 * The key or token of a request: `Authorization: Bearer`. A proxy also takes it where Anthropic's SDK puts it, and from
 * `Spillway-Key` when the key in the usual place is the provider's.
 */
export function credentialOf(sent: Sent, { proxy }: Pick<Route, 'proxy'>): string | undefined {
  if (!proxy) return bearerIn(sent);
  return plainIn(sent['spillway-key']) ?? plainIn(sent['x-api-key']) ?? bearerIn(sent);
}

/** The caller's own key at the provider; null when its key in the usual place is Spillway's. */
export const providerKeyOf = (sent: Sent): string | null =>
  plainIn(sent['spillway-key']) === undefined ? null : (plainIn(sent['x-api-key']) ?? bearerIn(sent) ?? null);
