import { SpillwayError } from '@spillway/engine';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts stored secrets that must be readable: AES-256-GCM, bound to their owner. */
export interface SecretBox {
  /**
   * `owner` is what the secret belongs to: sealed text that is moved to another row does not open. Throws
   * `secrets_not_configured`.
   */
  seal(secret: string, owner: string): string;
  /** Returns the secret. Text from before encryption existed is returned as it is. Throws when no key opens it. */
  open(stored: string, owner: string): string;
  /** Whether to seal this text again: it is plain, or sealed with an older key. False without a key. */
  isStale(stored: string): boolean;
}

interface BoxKey {
  /** Identifies the key that sealed a text without revealing it. */
  id: string;
  bytes: Buffer;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const sealed = /^enc:1:([0-9a-f]{8}):([A-Za-z0-9_-]+)$/;

/** Seals with the first key and opens with any of them. A new key goes in front of the one it replaces. */
export function secretBox(keys: readonly string[]): SecretBox {
  const known = keys.map(keyOf);
  const [current] = known;
  return {
    seal: (secret, owner) => {
      if (!current) {
        throw new SpillwayError(
          'secrets_not_configured',
          'This server has no key to encrypt secrets with. Set SPILLWAY_SECRET_KEY (32 characters or more) for the API and the workers.',
        );
      }
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, current.bytes, iv).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const whole = Buffer.concat([iv, cipher.getAuthTag(), text]);
      return `enc:1:${current.id}:${whole.toString('base64url')}`;
    },
    open: (stored, owner) => {
      const found = sealed.exec(stored);
      if (!found) return stored;
      const key = known.find(({ id }) => id === found[1]);
      if (!key) throw new Error(`No key of SPILLWAY_SECRET_KEY has the id ${found[1]}.`);
      const whole = Buffer.from(found[2]!, 'base64url');
      const decipher = createDecipheriv(algorithm, key.bytes, whole.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(whole.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(whole.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    },
    isStale: (stored) => current !== undefined && sealed.exec(stored)?.[1] !== current.id,
  };
}

const keyOf = (text: string): BoxKey => ({
  id: derived(text, 'id', 4).toString('hex'),
  bytes: derived(text, 'key', 32),
});

const derived = (text: string, use: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', `spillway secrets ${use}`, bytes));
