import type { Body } from '../messages/message.js';
import type { PrefixHash } from './reasoning.js';

/**
 * The messages after the prefix with this digest; null when no prefix has it. `hash` is initialized with what is sent
 * before the messages, as the digest's was.
 */
export function newMessages(messages: readonly Body[], hash: PrefixHash, digest: string): Body[] | null {
  for (let count = 0; count <= messages.length; count++) {
    if (hash.digest() === digest) return messages.slice(count);
    if (count < messages.length) hash.add(messages[count]!);
  }
  return null;
}
