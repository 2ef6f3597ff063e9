/** Work that is begun again and again, and of which only one run is in progress. */
export interface RepeatedWork {
  /** Begins a run, unless the last one is still in progress. */
  begin(): void;
  /** Resolves when no run is in progress. */
  idle(): Promise<void>;
}

/** `work` must not reject. */
export function oneAtATime(work: () => Promise<unknown>): RepeatedWork {
  let running: Promise<unknown> | null = null;
  return {
    begin() {
      running ??= work().finally(() => (running = null));
    },
    async idle() {
      await running;
    },
  };
}
