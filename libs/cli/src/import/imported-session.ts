import type { JsonObject } from './json-value.js';

export interface ImportedMessage {
  /** Stable: the source's own id, or one made from position and content. */
  id: string;
  message: JsonObject;
  /** The message has this id itself, as items of the Responses API do. */
  hasOwnId?: boolean;
  /** Of the file, from 1. */
  line: number;
  /** When it was said, if the source says it. */
  at: string | null;
}

/** A session of another program, read. */
export interface ImportedSession {
  format: 'openai' | 'anthropic' | 'responses' | 'ai-sdk';
  /** The source's own id of it. */
  sessionId: string | null;
  model: string | null;
  system: string | null;
  messages: ImportedMessage[];
  /** Ids that an import of an earlier state of the same session may have recorded. */
  otherIds: ReadonlySet<string>;
  leftOut: LeftOut;
}

/** Counts what a reader does not import, by what it is. */
export class LeftOut {
  private readonly counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.counts.set(what, (this.counts.get(what) ?? 0) + count);
  }

  asObject(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  asText(): string {
    return [...this.counts].map(([what, count]) => `${count} ${what}`).join(', ');
  }
}
