import type { Entry } from '../messages/entry.js';

/** One message, or an assistant's tool calls with their results. A context shows the messages of a step together. */
export interface Step {
  /** The message itself, or the calling messages followed by the results the model may see as such. */
  members: Entry[];
  /** Results without a matching open call: shown to the model as notes. */
  notes: Entry[];
  /** For a member that answers several calls: the indexes of results without a matching call, by seq. */
  strays: Map<number, number[]>;
  /** Call ids without a result. At the end of a thread they are open; elsewhere they were abandoned. */
  unanswered: string[];
  /**
   * Ids of further calls with an id that another call of the step has, until each has a result too. A client may repeat
   * a call by mistake and answer it once, so they do not keep the step open.
   */
  repeated: string[];
  /** The user spoke in the message that brought results: calls that are still unanswered then are no longer open. */
  closed: boolean;
}

export const isAssistants = ({ members }: Pick<Step, 'members'>): boolean => members[0]?.role === 'assistant';

/**
 * The smallest run of messages that is kept, summarized or left out as a whole. Units hold consecutive entries, so a
 * boundary between two units never separates a call from its result. A unit has several steps only when a result
 * arrived after another step had begun, for example because the user spoke while a tool ran, or because the provider
 * ran a program that called tools.
 */
export interface Unit {
  /** In the order in which a context shows them: by their first message. */
  steps: Step[];
}
