import { HeldAmounts, SpillwayError, type CallerRow } from '@spillway/service';

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
  private readonly held = new HeldAmounts();

  /**
   * Throws `too_many_requests` when the share of the token, its key or its project is used up, and `overloaded` when
   * the total is.
   */
  reserve({ projectId, keyId, token }: BodyOwner, bytes: number): Reservation {
    const [project, key] = [`project ${projectId}`, `key ${keyId}`];
    const ofToken = token === null ? [] : [`token ${token.id}`];
    const { held } = this;
    if (ofToken.some((owner) => held.of(owner) + bytes > limits.token))
      throw overShare('This thread token', limits.token);
    if (held.of(key) + bytes > limits.key) throw overShare('This key', limits.key);
    if (held.of(project) + bytes > limits.project) throw overShare('This project', limits.project);
    if (held.of(all) + bytes > limits.total) {
      throw new SpillwayError('overloaded', 'Too many large requests are in progress. Retry shortly.');
    }
    const owners = [...ofToken, key, project, all];
    let reserved = 0;
    const resize = (to: number) => {
      held.change(owners, to - reserved);
      reserved = to;
    };
    resize(bytes);
    return {
      // After the release nothing is reserved, and nothing is added again.
      settle: (length) => resize(Math.min(reserved, length)),
      release: () => resize(0),
    };
  }
}

/** The owner of what all requests reserve together. */
const all = 'all';

const overShare = (who: string, bytes: number): SpillwayError =>
  new SpillwayError(
    'too_many_requests',
    `${who} has ${bytes / mebibyte} MiB of request bodies in progress, which is its limit. Wait until some are answered.`,
  );
