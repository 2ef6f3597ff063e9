import { everyPart, formats, type Body } from '@spillway/engine';
import type { ReadContext } from '@spillway/service';
import type { ThreadTable } from '../memory/rows.js';
import { promise } from '../violation.js';

export interface Seen {
  /** What the context was made from, beside its messages: one of another version may differ. */
  contentVersion: number;
  /** The newest message when it was asked for. */
  askedAt: number;
}

interface Served {
  contentVersion: number;
  generation: number;
  context: ReadContext;
}

/** What a client was served of one thread, kept apart from the product's own record. */
export class ServedContexts {
  /** Fingerprints by the seq they stand for: two requests at once may both be served. */
  private readonly bySeq = new Map<number, { contentVersion: number; fingerprints: Set<string> }>();
  private latest: Served | null = null;
  /** Requests whose answer was not seen as it was made, or not yet: they may have been served something else. */
  private unseen = 0;

  constructor(private readonly threadId: string) {}

  /** The newest context that was served, for the usage of a model call that was made with it. */
  get newest(): ReadContext | undefined {
    return this.latest?.context;
  }

  /** A seq that a context was served for. */
  seqs(): number[] {
    return [...this.bySeq.keys()];
  }

  onAsked(): void {
    this.unseen++;
  }

  /** Between two compactions a context starts with all of the one before it. */
  onServed(context: ReadContext, { contentVersion, askedAt }: Seen): void {
    this.unseen--;
    const seq = context.lastSeq;
    // A first try whose record was not answered may have been recorded for a message before this one.
    for (const earlier of this.bySeq.keys())
      if (earlier >= askedAt && earlier < seq) this.bySeq.delete(earlier);
    const known = this.bySeq.get(seq);
    if (known?.contentVersion === contentVersion) known.fingerprints.add(context.fingerprint);
    else this.bySeq.set(seq, { contentVersion, fingerprints: new Set([context.fingerprint]) });

    const generation = context.summary?.generation ?? 0;
    const before = this.latest;
    if (before && seq >= before.context.lastSeq && contentVersion === before.contentVersion) {
      if (generation === before.generation && isWhole(before.context) && isWhole(context)) {
        promise(
          growsFrom(before.context.messages, context.messages),
          () => `the context of ${this.threadId} at ${seq} rewrites the one at ${before.context.lastSeq}`,
        );
      }
    }
    if (!before || seq >= before.context.lastSeq) this.latest = { contentVersion, generation, context };
  }

  /** `at` shows what was served then, whatever settings, summaries and rewinds came since. */
  onShown(context: ReadContext, at: number, { row, rewinds }: ThreadTable): void {
    const known = this.bySeq.get(at);
    if (!known || !context.served) return;
    // Each rewind moves the version by one; with another change in between, the context may differ.
    const rewound = rewinds.filter(({ version }) => version > known.contentVersion).length;
    if (row.contentVersion !== known.contentVersion + rewound) return;
    promise(
      context.served.exact && (this.unseen > 0 || known.fingerprints.has(context.fingerprint)),
      () => `at=${at} of ${this.threadId} does not show what was served`,
    );
  }
}

/**
 * Does the newer context begin with the older one? A result that came late stands where its call had none, and what
 * else came with it and answers nothing stands after that step as a note, with a separator before a user's message.
 * Images are hidden once there are too many newer ones.
 */
function growsFrom(older: readonly Body[], newer: readonly Body[]): boolean {
  let at = 0;
  let cameLate = false;
  return older.every((before) => {
    if (cameLate && !isSame(before, newer[at]) && isNote(newer[at])) {
      at++;
      if (before.role === 'user' && isSeparator(newer[at])) at++;
    }
    const now = newer[at++];
    if (isSame(before, now)) return true;
    cameLate = before.role === 'tool' && String(before.content).startsWith('[no result was recorded');
    return cameLate && now?.role === 'tool';
  });
}

const isNote = (body: Body | undefined): boolean =>
  body?.role === 'user' && JSON.stringify(body.content).includes('[Result that came late,');

const isSeparator = (body: Body | undefined): boolean =>
  body?.role === 'assistant' && body.content === 'Noted.';

const isSame = (before: Body, now: Body | undefined): boolean =>
  JSON.stringify(before) === JSON.stringify(now) ||
  (now !== undefined && now.role === before.role && withoutImages(before) === withoutImages(now));

const noImage = '[image not shown]';
const hiddenImage = /\[An older image of message \d+ is not shown here\.\]/g;

/** What a message says, whether its images are shown, are hidden, or have no place in a result of this format. */
const withoutImages = (body: Body): string =>
  everyPart(formats.openai.read(body))
    .map((part) => {
      if (part.type === 'media') return noImage;
      if (part.type === 'text') return part.text.replace(hiddenImage, noImage);
      return part.type === 'result' ? part.callId : JSON.stringify(part);
    })
    .join('\n');

/** One that left something out may show it again once there is room. */
const isWhole = ({ format, elided, degraded }: ReadContext): boolean =>
  format === 'openai' && elided.length === 0 && !degraded;
