import { Grouped, passedOver } from '../../connection/grouped.js';
import type { Query } from '../../connection/store.js';
import type { AppendedThread } from '../../threads/thread-row.js';
import { append, type Append } from './append.js';
import { appendGroup, canBeGrouped } from './append-group.js';

/** Characters of an append's messages, from which it goes alone: others should not wait for its bytes. */
const aloneFrom = 64 * 1024;

/**
 * Sends appends to Postgres, those that come while it is busy together. A group passes over a thread that is locked and
 * an append that is refused. A second append to a thread waits for the first.
 */
export class AppendQueue {
  private readonly grouped: Grouped<Append, AppendedThread | undefined>;

  constructor(private readonly query: Query) {
    this.grouped = new Grouped({
      turnOf: ({ threadId }) => threadId,
      isOnceInGroup: true,
      alone: (one) => append(query, one),
      together: async (appends) => (await appendGroup(query, appends)).map((row) => row ?? passedOver),
    });
  }

  /** Like `append`. */
  append(one: Append): Promise<AppendedThread | undefined> {
    return canBeGrouped(one) && lengthOf(one) < aloneFrom ? this.grouped.ask(one) : append(this.query, one);
  }
}

const lengthOf = ({ messages }: Append): number =>
  messages.reduce((sum, message) => sum + message.body.length, 0);
