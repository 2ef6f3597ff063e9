import type { Route } from '@spillway/contracts';
import { keyHeader, SpillwayError, type OwnKey } from '@spillway/service';

type Sent = Readonly<Record<string, unknown>>;

/** Tokens of gateways are long. All headers of a request may have 16 KiB. */
const bearer = /^Bearer ([\x21-\x7e]{1,8000})$/i;
const plain = /^[\x21-\x7e]{1,8000}$/;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const bearerIn = ({ authorization }: Sent): string | undefined => bearer.exec(textIn(authorization))?.[1];
const plainIn = (value: unknown): string | undefined => plain.exec(textIn(value))?.[0];

/**
 * The key or token of a request: `Authorization: Bearer`. A proxy also takes it where the SDKs of Anthropic and Google put it, and from
 * `Spillway-Key` when the key in the usual place is the provider's. Where that header is sent, no other key is Spillway's.
 */
export function credentialOf(sent: Sent, { proxy }: Pick<Route, 'proxy'>): string | undefined {
  if (!proxy) return bearerIn(sent);
  if (sent['spillway-key'] !== undefined) return plainIn(sent['spillway-key']);
  return plainIn(sent['x-goog-api-key']) ?? plainIn(sent['x-api-key']) ?? bearerIn(sent);
}

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'] as const;

/**
 * Returns the caller's own key at the provider and the header in which it came; null when the key in the usual place is
 * Spillway's, and when the caller sends none. Throws `invalid_request` for one that cannot be read: somebody else's key
 * would pay for the call.
 */
export function ownKeyOf(sent: Sent, provider: keyof typeof keyHeader): OwnKey | null {
  if (sent['spillway-key'] === undefined) return null;
  const read = {
    authorization: bearerIn(sent),
    'x-api-key': plainIn(sent['x-api-key']),
    'x-goog-api-key': plainIn(sent['x-goog-api-key']),
  };
  const first = keyHeader[provider];
  const inOrder = [first, ...keyHeaders.filter((name) => name !== first)];
  for (const header of inOrder) {
    const key = read[header];
    if (key !== undefined) return { header, key };
  }
  const header = inOrder.find((name) => sent[name] !== undefined);
  if (header === undefined) return null;
  const why =
    header === 'authorization'
      ? 'must be "Bearer <key>" with 1-8,000 visible ASCII characters'
      : 'must have 1-8,000 visible ASCII characters';
  throw new SpillwayError(
    'invalid_request',
    `The provider's key in ${header} ${why}. Without this header the call is made with the key of the project or the server.`,
    [{ path: `/${header}`, message: why }],
  );
}
