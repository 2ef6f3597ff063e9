import { SpillwayError } from '@spillway/engine';
import { HeldAmounts } from '../operations/held-amounts.js';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** What a call takes beside its context: a socket, the request and its answer. */
const minBytes = 64 * kibibyte;

/** The share of the room that one project may use, so that its hanging provider does not stop the others. */
const projectShare = 0.75;

/**
 * Bounds the contexts that wait for models: each stays in memory until its answer is passed on, and an upstream that
 * accepts and never answers keeps it for minutes.
 */
export class ModelCallRoom {
  private readonly held = new HeldAmounts();
  private readonly maxBytes: number;

  constructor(mebibytes: number) {
    this.maxBytes = mebibytes * mebibyte;
  }

  /**
   * Throws what `take` throws for the smallest call, before anything is recorded: the same request later is then the
   * first of its kind.
   */
  refuseFull(projectId: string): void {
    this.take(projectId, 0)();
  }

  /**
   * Takes room for a call whose request has so many bytes. Returns the function that releases it. A call that is larger
   * than the room is made when no other runs. Throws `too_many_requests` when the share of the project is used up, and
   * `overloaded` when all of it is.
   */
  take(projectId: string, bytes: number): () => void {
    const amount = Math.max(bytes, minBytes);
    this.refuse(
      projectId,
      amount,
      this.maxBytes * projectShare,
      () => new SpillwayError('too_many_requests', ofProject),
    );
    this.refuse(all, amount, this.maxBytes, () => new SpillwayError('overloaded', ofProcess));
    return this.held.take([projectId, all], amount);
  }

  private refuse(owner: string, amount: number, max: number, refusal: () => SpillwayError): void {
    const held = this.held.of(owner);
    if (held > 0 && held + amount > max) throw refusal();
  }
}

/** The owner of what all calls hold together. Projects are named by UUIDs. */
const all = 'all';

const why = 'as many model calls in progress as SPILLWAY_MODEL_CALLS_MIB has room for. Retry in 1 s.';
const ofProject = `This project has ${why}`;
const ofProcess = `The server has ${why}`;

/**
 * The room of one call that a proxy makes. It is released when the answer was passed on, when the call failed, and when
 * the caller left, after which nobody may read the answer.
 */
export function roomOf(
  { modelCalls }: { modelCalls: ModelCallRoom },
  { projectId, signal }: { projectId: string; signal: AbortSignal },
) {
  let release = (): void => undefined;
  return {
    hold: (bytes: number): void => {
      release = modelCalls.take(projectId, bytes);
      signal.addEventListener('abort', release, { once: true });
      if (signal.aborted) release();
    },
    release: (): void => release(),
    heldBy: async function* (answer: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        yield* answer;
      } finally {
        release();
      }
    },
  };
}
