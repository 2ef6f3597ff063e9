import { SpillwayError, type CallerRow } from '@spillway/service';

const mebibyte = 1024 * 1024;

/**
 * Upper bounds on the request bytes that are buffered at a time, so that a burst cannot exhaust memory. A token has room
 * for the largest body, and a key for two of them.
 */
const limits = {
  total: 128 * mebibyte,
  project: 96 * mebibyte,
  key: 64 * mebibyte,
  token: 32 * mebibyte,
};

export type BodyOwner = Pick<CallerRow, 'projectId' | 'keyId' | 'token'>;

/** Bytes reserved for the body of one request. */
export interface Reservation {
  /** Records the real length once the body was read. */
  settle(bytes: number): void;
  /** Releases the bytes. Calling it again changes nothing. */
  release(): void;
}

/**
 * Reserves memory for request bodies before they are read. Each thread token, key and project has a share, so that
 * no caller can block the others.
 */
export class BodyBudget {
  private total = 0;
  private readonly held = new Map<string, number>();

  /**
   * Throws `too_many_requests` when the share of the token, its key or its project is used up, and `overloaded` when
   * the total is.
   */
  reserve({ projectId, keyId, token }: BodyOwner, bytes: number): Reservation {
    const [project, key] = [`project ${projectId}`, `key ${keyId}`];
    const ofToken = token === null ? [] : [`token ${token.id}`];
    if (ofToken.some((owner) => this.of(owner) + bytes > limits.token))
      throw overShare('This thread token', limits.token);
    if (this.of(key) + bytes > limits.key) throw overShare('This key', limits.key);
    if (this.of(project) + bytes > limits.project) throw overShare('This project', limits.project);
    if (this.total + bytes > limits.total) {
      throw new SpillwayError('overloaded', 'Too many large requests are in progress. Retry shortly.');
    }
    let reserved = 0;
    const resize = (to: number) => {
      const change = to - reserved;
      reserved = to;
      this.total += change;
      for (const owner of [...ofToken, key, project]) {
        const left = this.of(owner) + change;
        if (left > 0) this.held.set(owner, left);
        else this.held.delete(owner);
      }
    };
    let released = false;
    resize(bytes);
    return {
      settle: (length) => {
        if (!released) resize(Math.min(reserved, length));
      },
      release: () => {
        released = true;
        resize(0);
      },
    };
  }

  private of(owner: string): number {
    return this.held.get(owner) ?? 0;
  }
}

const overShare = (who: string, bytes: number): SpillwayError =>
  new SpillwayError(
    'too_many_requests',
    `${who} has ${bytes / mebibyte} MiB of request bodies in progress, which is its limit. Wait until some are answered.`,
  );
