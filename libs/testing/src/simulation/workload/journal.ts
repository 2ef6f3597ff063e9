import type { Body } from '@spillway/engine';
import type { Appended, IncomingMessage, PostedUsage } from '@spillway/service';
import { ServedContexts } from '../checks/served-contexts.js';
import { Script } from './script.js';
import type { Chance } from '../chance.js';
import type { ThreadTable } from '../memory/rows.js';
import { promise } from '../violation.js';

export interface Batch {
  messages: IncomingMessage[];
  /** Of these, the ones that no earlier batch posted. */
  own: IncomingMessage[];
  /** The newest answered seq before it was first sent: its own must be higher. */
  sentAfter: number;
  /** Seqs as they were answered. */
  answered: number[] | null;
}

/** A client's own record of its thread: what it sent and what was answered. */
export class Journal {
  readonly batches: Batch[] = [];
  readonly script: Script;
  readonly served: ServedContexts;
  /** Tokens that the provider of this thread's model counts per token of ours. */
  readonly trueRatio: number;
  /** What the client holds of its context, from what it was handed out. */
  held: { fingerprint: string; messages: Body[] } | null = null;
  private newest = 0;

  constructor(
    chance: Chance,
    readonly projectId: string,
    readonly threadId: string,
    showsImages: boolean,
  ) {
    this.script = new Script(chance, threadId, showsImages);
    this.served = new ServedContexts(threadId);
    this.trueRatio = chance.pick([0.8, 1, 1, 1.25]);
  }

  /** New messages, sometimes with an earlier batch before them, like a client that resends its history. */
  nextBatch(chance: Chance): Batch {
    const own = this.script.batch();
    const earlier = chance.happens(0.05) ? this.retried(chance) : undefined;
    const hasIds = own[0]!.clientId !== null;
    const messages = earlier && hasIds ? [...earlier.messages, ...own] : own;
    const batch = { messages, own, sentAfter: this.newest, answered: null };
    if (hasIds) this.batches.push(batch);
    return batch;
  }

  /** A batch to send again, answered or not. */
  retried(chance: Chance): Batch | undefined {
    return this.batches.at(-1 - chance.below(Math.min(8, Math.max(1, this.batches.length))));
  }

  /** The provider's usage of a call with the newest context. */
  usage(chance: Chance): PostedUsage | null {
    const context = this.served.newest;
    if (!context || chance.happens(0.5)) return null;
    const usage = { input_tokens: Math.round(context.tokens.total * this.trueRatio) };
    return { usage, fingerprint: context.fingerprint };
  }

  /** The append was answered: compares the answer with earlier ones and with the table. */
  onAnswer(batch: Batch, { messages }: Appended, table: ThreadTable | undefined): void {
    if (!table || table.row.deletedAt !== null) return;
    const seqs = messages.map((message) => message.seq);
    const where = () => `${this.threadId}: ${JSON.stringify(seqs)}`;
    batch.messages.forEach((sent, i) => {
      const row = table.messages[seqs[i]! - 1];
      promise(row?.clientId === sent.clientId, () => `an answered message is not there, ${where()}`);
      promise(row.body === JSON.stringify(sent.body), () => `a message is not what was sent, ${where()}`);
    });
    promise(
      batch.answered === null ||
        batch.answered.every(
          (seq, i) => seq === seqs[i] || [seq, seqs[i]!].some((one) => isRewound(table, one)),
        ),
      () => `a second answer differs from ${JSON.stringify(batch.answered)}, ${where()}`,
    );
    const own = seqs.slice(batch.messages.length - batch.own.length);
    promise(
      own.every((seq, i) => seq > batch.sentAfter && (i === 0 || seq > own[i - 1]!)),
      () => `seqs are out of order: sent after ${batch.sentAfter}, ${where()}`,
    );
    batch.answered = seqs;
    this.newest = Math.max(this.newest, seqs.at(-1) ?? 0);
  }

  /** After the faults: answered messages exist, and a batch exists as a whole or not at all. */
  check(table: ThreadTable | undefined): void {
    if (table && table.row.deletedAt !== null) return;
    // A message that was rewound and posted again is there twice.
    const seqs = Map.groupBy(table?.messages ?? [], (message) => message.clientId);
    for (const { messages, own, answered } of this.batches) {
      const found = own.filter((message) => seqs.has(message.clientId)).length;
      promise(
        found === 0 || found === own.length,
        () => `${this.threadId}: ${found} of ${own.length} were recorded`,
      );
      answered?.forEach((seq, i) =>
        promise(
          seqs.get(messages[i]!.clientId)?.some((one) => one.seq === seq) === true,
          () => `${this.threadId}: ${seq} was lost`,
        ),
      );
    }
  }
}

const isRewound = ({ messages }: ThreadTable, seq: number): boolean => messages[seq - 1]!.rewoundBefore > 0;
