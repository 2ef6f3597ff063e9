import { createHash, type Hash } from 'node:crypto';
import type { Body } from '@spillway/engine';

const written = new WeakMap<Body, string>();

/** A message as JSON, written once for as long as the message is kept: contexts show the same ones again and again. */
export function messageJson(message: Body): string {
  const known = written.get(message);
  if (known !== undefined) return known;
  const json = JSON.stringify(message);
  written.set(message, json);
  return json;
}

/** Characters that are hashed at once: a call costs as much as a short message, and long texts would be copied whole. */
const chunk = 16 * 1024;

/** A SHA-256 of texts one after the other, whose digest can be taken at any time. */
export class TextHash {
  private readonly hash: Hash = createHash('sha256');
  private waiting = '';

  add(text: string): this {
    this.waiting += text;
    if (this.waiting.length >= chunk) this.flush();
    return this;
  }

  digest(encoding: 'hex' | 'base64url'): string {
    this.flush();
    return this.hash.copy().digest(encoding);
  }

  private flush(): void {
    this.hash.update(this.waiting);
    this.waiting = '';
  }
}
