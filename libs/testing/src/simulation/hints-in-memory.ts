import type { Hints } from '@spillway/jobs';
import type { Chance } from './chance.js';
import type { Faults } from './faults.js';

export interface Hint {
  projectId: string;
  threadId: string;
}

/** Redis as hints need it: it may lose, double, reorder and forget them. */
export class HintsInMemory {
  private readonly waiting: { key: string; hint: Hint }[] = [];

  constructor(
    private readonly chance: Chance,
    private readonly faults: () => Faults,
  ) {}

  readonly hints: Hints = {
    send: (name, payload, key) => {
      if (this.chance.happens(this.faults().lostHint)) return Promise.resolve(false);
      const hint = payload as Hint;
      const again = this.chance.happens(this.faults().doubleHint);
      if (again || !this.waiting.some((one) => one.key === key)) this.waiting.push({ key, hint });
      return Promise.resolve(true);
    },
    schedule: () => Promise.resolve(true),
    isFirst: () => Promise.resolve(true),
    state: () => Promise.resolve('ok'),
    forget: () => Promise.resolve(true),
    workers: () => Promise.resolve(null),
    jobs: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };

  get length(): number {
    return this.waiting.length;
  }

  /** Any of them: order means nothing. */
  take(): Hint | undefined {
    return this.waiting.splice(this.chance.below(Math.max(1, this.waiting.length)), 1)[0]?.hint;
  }

  forget(): void {
    this.waiting.length = 0;
  }
}
