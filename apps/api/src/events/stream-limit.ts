import { SpillwayError, type CallerRow } from '@spillway/service';

/** Of one key, or of one person who is signed in. A browser keeps one for each tab that is looked at. */
const mostOfACaller = 8;
/** Of one process. */
const mostOfAll = 1_000;

/** Counts the streams that are open, so that nobody takes them all. */
export class StreamLimit {
  private readonly open = new Map<string, number>();
  private all = 0;

  /** Throws `too_many_streams`, `overloaded`. Gives what gives the place back. */
  take({ sessionId, keyId }: CallerRow): () => void {
    const name = sessionId ?? keyId;
    const count = this.open.get(name) ?? 0;
    if (count >= mostOfACaller) {
      throw new SpillwayError('too_many_streams', `There are ${mostOfACaller} streams open with this key.`);
    }
    if (this.all >= mostOfAll) throw new SpillwayError('overloaded', 'Too many streams are open; try again.');
    this.open.set(name, count + 1);
    this.all++;
    return () => {
      const left = (this.open.get(name) ?? 1) - 1;
      if (left > 0) this.open.set(name, left);
      else this.open.delete(name);
      this.all--;
    };
  }
}
