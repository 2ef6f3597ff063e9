/**
 * Steps that undo what was started, run in reverse order. Add a step as soon as there is something to undo; run it
 * whether or not the start succeeded.
 */
export class Teardown {
  readonly #steps: { name: string; stop: () => Promise<void> }[] = [];
  #running: Promise<void> | undefined;

  constructor(private readonly say: (line: string) => void) {}

  add(name: string, stop: () => Promise<void>): void {
    this.#steps.push({ name, stop });
  }

  /** A failing step is reported and does not stop the others. Calling again joins the first call. */
  run(): Promise<void> {
    this.#running ??= this.#endAll();
    return this.#running;
  }

  async #endAll(): Promise<void> {
    for (const { name, stop } of this.#steps.reverse()) {
      try {
        await stop();
      } catch (error) {
        this.say(`Could not stop ${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
