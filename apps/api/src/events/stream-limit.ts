import { HeldAmounts, SpillwayError, type CallerRow } from '@spillway/service';

/** Maximum of open streams in one process. A browser keeps one for each visible tab. */
const limits = {
  /** For one key itself, one session, or one thread token. */
  caller: 8,
  /** For a key together with its sessions and thread tokens. */
  key: 64,
  project: 250,
  total: 1_000,
};

/** Counts the open streams, so that no caller, key or project can take them all. */
export class StreamLimit {
  private readonly open = new HeldAmounts();

  /**
   * Returns a function that releases the slot; calling it again does nothing. Throws `too_many_streams` and
   * `overloaded`.
   */
  take({ sessionId, keyId, projectId, token }: CallerRow): () => void {
    const owners = [
      { name: `caller ${token?.id ?? sessionId ?? keyId}`, max: limits.caller, what: 'this credential' },
      { name: `key ${keyId}`, max: limits.key, what: 'this key with its sessions and thread tokens' },
      { name: `project ${projectId}`, max: limits.project, what: 'this project' },
    ];
    const full = owners.find(({ name, max }) => this.open.of(name) >= max);
    if (full) {
      const message = `${full.max} streams are open for ${full.what}, which is the limit. Close one first.`;
      throw new SpillwayError('too_many_streams', message);
    }
    if (this.open.of(all) >= limits.total) {
      throw new SpillwayError('overloaded', 'The server has too many open streams. Retry later.');
    }
    return this.open.take([all, ...owners.map(({ name }) => name)], 1);
  }
}

/** The owner of all streams together. */
const all = 'all';
