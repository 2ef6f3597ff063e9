import type { Format } from '@spillway/client';
import type { JsonObject } from './sources/json-value.js';

export interface ImportedMessage<Time = string | null> {
  /** Stable: the source's own id, or one made from position and content. */
  id: string;
  message: JsonObject;
  /** The message has this id itself, as items of the Responses API do. */
  hasOwnId?: boolean;
  /** Of the file, from 1. */
  line: number;
  /** When it was written, if the source says it. */
  at: Time;
}

/** A session of another program, read. */
export interface ImportedSession<Time = string | null> {
  format: Format;
  /** The source's own id of it. */
  sessionId: string | null;
  /** What its user calls it, if the source has titles. */
  title?: string | null;
  model: string | null;
  system: string | null;
  messages: ImportedMessage<Time>[];
  /** Ids that an import of an earlier state of the same session may have recorded. */
  otherIds: ReadonlySet<string>;
  leftOut: LeftOut;
}

/** What a reader gives: times as the source has them. */
export type ReadSession = ImportedSession<unknown>;
export type ReadMessage = ImportedMessage<unknown>;

/** Counts what a reader does not import, by what it is. */
export class LeftOut {
  private readonly counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.counts.set(what, (this.counts.get(what) ?? 0) + count);
  }

  addAll(others: LeftOut): void {
    for (const [what, count] of others.counts) this.add(what, count);
  }

  asObject(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  asText(): string {
    return [...this.counts].map(([what, count]) => `${what} (${count})`).join(', ');
  }
}
