import type { SeqMessage } from './seq-message.js';

/** Longer names, and those that hold more than a name, could pass for the words of a message: they are not shown. */
const participantName = /^[\p{L}\p{N}_.@-]{1,64}$/u;

/**
 * Which one of several people a message of a user is from: the `name` that OpenAI's format has for it. Null without one.
 */
export const participantOf = ({ role, name }: Pick<SeqMessage, 'role' | 'name'>): string | null =>
  role === 'user' && name !== null && participantName.test(name) ? name : null;

/** The sender of a message. */
export interface Speaker {
  role: string;
  /** Which one of several people; null where the message does not say. */
  participant: string | null;
}

/** In words: `user anna`, or the role alone. */
export const speakerName = ({ role, participant }: Speaker): string =>
  participant === null ? role : `${role} ${participant}`;

/** As data for a model, which pays for every field: `participant` is left out where there is none. */
export const speakerFields = ({ role, participant }: Speaker): { role: string; participant?: string } => ({
  role,
  ...(participant === null ? {} : { participant }),
});
