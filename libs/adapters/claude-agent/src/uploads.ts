/** How long a read waits for the message of its output. */
const maxWaitMs = 10_000;

/** Outputs that were uploaded while the messages with their stubs are on the way: they cannot be read until then. */
export class Uploads {
  private readonly waiting = new Map<string, { posted: Promise<void>; resolve: () => void }>();

  add(stub: string): void {
    let resolve = () => {};
    const posted = new Promise<void>((done) => (resolve = done));
    this.waiting.set(idOf(stub), { posted, resolve });
  }

  /** Marks the outputs that recorded messages name. */
  recorded(messages: readonly object[]): void {
    const text = JSON.stringify(messages);
    for (const [id, { resolve }] of this.waiting)
      if (text.includes(id)) {
        resolve();
        this.waiting.delete(id);
      }
  }

  /** Resolves when an output can be read, or after ten seconds. */
  async readable(id: unknown): Promise<void> {
    const upload = this.waiting.get(String(id));
    if (!upload) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxWaitMs)));
    await Promise.race([upload.posted, late]);
    clearTimeout(timer);
  }
}

const idOf = (stub: string): string => /out_[0-9a-f]{32}/.exec(stub)![0];
