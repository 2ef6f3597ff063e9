import type { Holds } from '../units/holds.js';
import type { Entry } from '../messages/entry.js';
import { mediaMarkIn } from '../messages/inline-media.js';
import { textPart, type MediaPart, type Message, type Part } from '../messages/message.js';
import { mediaTokens } from '../tokens/media/media-tokens.js';

/** The parts of a shown message that a context leaves out. */
export interface Reduction {
  /** Number of hidden images, from the message's first on. */
  images: number;
  /** A note replaces its tool results. */
  cleared: boolean;
  /** The bytes of its media are gone. */
  lost?: boolean;
  /** The media of newer messages take all bytes that a context may have. */
  tooLarge?: boolean;
}

export interface ReductionRules {
  /** AgentScope's max_image_num: only the newest are sent. */
  maxImages: number;
  /** Tool results up to this seq are cleared; only a compaction moves it, so that prefixes stay stable. */
  clearedThrough: number;
  /** The held messages of the generation. */
  holds?: Holds | undefined;
}

/** Maximum tokens of the note that replaces an image or a result. */
const replacementTokens = 40;
/** A result stays when its note would save no more than this: the search that finds it again costs more. */
const minSavedTokens = 8;

/**
 * Entries with their weights after old images are hidden and old tool results cleared. Pinned messages stay complete,
 * and their images count first. The newest images count, so a further image changes what is shown of older messages:
 * providers refuse too many images, and that matters more than a stable prefix.
 */
export function reduceEntries(
  entries: readonly Entry[],
  rules: ReductionRules,
): { entries: Entry[]; reductions: Map<number, Reduction> } {
  const reductions = new Map<number, Reduction>();
  const pinned = entries.reduce((sum, entry) => sum + (entry.pinned ? entry.images : 0), 0);
  let left = Math.max(0, rules.maxImages - pinned);
  const kept = new Set(rules.holds?.kept);
  const whole = new Map(rules.holds?.whole);
  const released = new Set(rules.holds?.released);
  const reduced = [...entries].reverse().map((posted) => {
    const entry = whole.has(posted.seq) ? { ...posted, tokens: whole.get(posted.seq)! } : posted;
    const images = entry.pinned ? 0 : Math.max(0, entry.images - left);
    if (!entry.pinned) left = Math.max(0, left - entry.images);
    const results = entry.answers.length;
    const cleared =
      !entry.pinned &&
      entry.role === 'tool' &&
      (released.has(entry.seq) || (entry.seq <= rules.clearedThrough && !kept.has(entry.seq))) &&
      entry.tokens > replacementTokens * results + minSavedTokens;
    if (images === 0 && !cleared) return entry;
    reductions.set(entry.seq, { images, cleared });
    const tokens = cleared
      ? replacementTokens * results
      : entry.tokens - images * (mediaTokens - replacementTokens);
    return { ...entry, tokens: Math.max(1, tokens), images: cleared ? 0 : entry.images - images };
  });
  return { entries: reduced.reverse(), reductions };
}

/** The seq through which tool results are cleared when only the newest `keep` stay; 0 for none. */
export function clearedThrough(kept: readonly Entry[], keep: number | null): number {
  if (keep === null) return 0;
  const results = kept.filter((entry) => entry.role === 'tool');
  return results.at(-1 - keep)?.seq ?? 0;
}

/** The reduced message, with a hint where to find what is not shown. */
export function reduceMessage(message: Message, seq: number, reduction: Reduction): Message {
  let images = reduction.images;
  const hide = (part: Part): Part => {
    if (part.type === 'result' && reduction.cleared)
      return { ...part, changed: true, parts: [textPart(clearedNote(seq))] };
    if (part.type === 'result') {
      const parts = part.parts.map(hide);
      return parts.some((p, i) => p !== part.parts[i]) ? { ...part, changed: true, parts } : part;
    }
    if (part.type === 'other' && part.parts) {
      const { parts } = part;
      const shown = parts.map(hide);
      return shown.some((p, i) => p !== parts[i]) ? { ...part, native: undefined, parts: shown } : part;
    }
    const media = part.type === 'other' ? part.image : part.type === 'media' ? part : undefined;
    if (media && reduction.lost)
      return textPart(`[The ${media.kind} of message ${seq} is no longer stored.]`);
    if (media && reduction.tooLarge && isStored(media))
      return textPart(`[The older ${media.kind} of message ${seq} is not shown here.]`);
    if (media?.kind !== 'image' || images === 0) return part;
    images--;
    return textPart(`[An older image of message ${seq} is not shown here.]`);
  };
  return { ...message, parts: message.parts.map(hide) };
}

/** Whether its bytes are stored beside the message. An address or the id of a file takes no room. */
const isStored = ({ source }: MediaPart): boolean =>
  mediaMarkIn('data' in source ? source.data : 'url' in source ? source.url : '') !== undefined;

const clearedNote = (seq: number): string =>
  `[Cleared to save space: this result is message ${seq} of the thread, and a search of its history finds it.]`;
