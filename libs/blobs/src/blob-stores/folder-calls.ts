import type { OpenCalls } from '../blob-store.js';

/** A call to the file system was not done in time. It has the code of a network that does not answer. */
export class FolderHangs extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(maxMs: number) {
    super(`The folder of outputs did not answer within ${maxMs / 1_000} s.`);
    this.name = 'FolderHangs';
  }
}

/**
 * Calls at once. libuv runs them in four threads, which also resolve names and load modules, and a call that hangs keeps
 * its thread until it returns: one thread stays free for the rest of the process.
 */
const maxCalls = 3;

interface CallOptions<T> {
  /** Takes the result of a call for which nobody waits any more. */
  late?: (result: T) => void;
  /** The call is made in any case, also when its caller has given up. */
  isCertain?: boolean;
}

/**
 * Calls to a file system that may hang, as one over the network does whose server is gone. A caller waits for `maxMs` at
 * most, and not at all while nobody waits any more for the calls that run.
 */
export class FolderCalls {
  private readonly running = new Set<{ isLate: boolean }>();
  private readonly waiting = new Set<() => void>();

  constructor(private readonly maxMs: number) {}

  /** Throws `FolderHangs`, and what the call throws. */
  run<T>(call: () => Promise<T>, { late, isCertain = false }: CallOptions<T> = {}): Promise<T> {
    if (!isCertain && this.hangs()) return Promise.reject(new FolderHangs(this.maxMs));
    return new Promise((resolve, reject) => {
      const one = { isLate: false };
      const end = (): void => {
        clearTimeout(timer);
        this.running.delete(one);
        this.beginNext();
      };
      const begin = (): void => {
        this.running.add(one);
        call().then(
          (result) => {
            end();
            if (one.isLate) late?.(result);
            else resolve(result);
          },
          (error: Error) => {
            end();
            // Of a call that is late the caller has been told.
            reject(error);
          },
        );
      };
      const giveUp = (): void => {
        one.isLate = true;
        if (!isCertain) this.waiting.delete(begin);
        reject(new FolderHangs(this.maxMs));
      };
      const timer = setTimeout(giveUp, this.maxMs);
      if (this.running.size < maxCalls) begin();
      else this.waiting.add(begin);
    });
  }

  private beginNext(): void {
    const [begin] = this.waiting;
    if (!begin) return;
    this.waiting.delete(begin);
    begin();
  }

  /** Calls that run, each in a thread of libuv. */
  open(): OpenCalls {
    return { all: this.running.size, late: [...this.running].filter(({ isLate }) => isLate).length };
  }

  private hangs(): boolean {
    return this.open().late === maxCalls;
  }
}
