import { jsonOf } from '../json.js';
import type { Message } from '../thread.js';
import type { Alignment } from './align.js';
import { hashOf, isMedia } from './identity.js';

/** Of a message that was posted or is about to be. */
interface Logged {
  identity: string;
  /** Of what its images and files hold; undefined without any, and where another process posted it. */
  media?: string | undefined;
}

/** What a caller puts beside an image for its provider, such as a mark of the prefix to cache. */
const beside = new Set([
  'cache_control',
  'providerOptions',
  'providerMetadata',
  'experimental_providerMetadata',
]);

/** Returns what tells the images and files of a user's message from others, or undefined when it has none. */
export function mediaOf(message: Message): string | undefined {
  const { content } = message as { content?: unknown };
  if (!isOfUser(message) || !Array.isArray(content)) return undefined;
  const media = content.filter(isMedia).map((part: unknown) => {
    const own = Object.entries(part as object).filter(([name]) => !beside.has(name));
    return Object.fromEntries(own);
  });
  return media.length > 0 ? hashOf(jsonOf(media)) : undefined;
}

const isOfUser = (message: Message): boolean => (message as { role?: unknown }).role === 'user';

/**
 * Takes back the first message of the user behind the newest answer that has other images or files than it was posted
 * with, and what follows it. Identities know that there is an image, not what it shows. What stands before an answer
 * stays: callers leave old images out.
 */
export function withoutOtherMedia(
  found: Alignment,
  { history, identities }: { history: readonly Message[]; identities: readonly string[] },
  { log, older }: { log: readonly Logged[]; older: boolean },
): Alignment {
  const shift = log.length - found.gone - found.known;
  let known = found.known;
  for (let i = known - 1; i >= 0 && isOfUser(history[i]!); i--) {
    const posted = log[i + shift];
    // Behind which message the first one of the log stands is not known where older ones are recorded.
    if (posted?.identity !== identities[i] || (older && i + shift === 0)) break;
    const now = posted?.media === undefined ? undefined : mediaOf(history[i]!);
    if (now !== undefined && now !== posted?.media) known = i;
  }
  return known === found.known ? found : { known, gone: log.length - known - shift };
}
