/**
 * What has been started, to be ended in the opposite order. Add a step as soon as there is something to undo; run it
 * whether start-up went well or not.
 */
export class Teardown {
  readonly #steps: { name: string; stop: () => Promise<void> }[] = [];
  #running: Promise<void> | undefined;

  constructor(private readonly say: (line: string) => void) {}

  add(name: string, stop: () => Promise<void>): void {
    this.#steps.push({ name, stop });
  }

  /** One step that fails is reported and does not keep the others from being ended. Calling again joins the first. */
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
