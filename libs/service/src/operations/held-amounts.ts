/** What owners hold at the moment, by their names: bytes of a key, streams of a project. */
export class HeldAmounts {
  private readonly held = new Map<string, number>();

  of(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  /** Adds to what each of these holds. Who holds nothing any more takes no memory. */
  change(owners: readonly string[], by: number): void {
    for (const owner of owners) {
      const left = this.of(owner) + by;
      if (left > 0) this.held.set(owner, left);
      else this.held.delete(owner);
    }
  }

  /** Takes an amount for each of these. Returns a function that releases it; calling it again does nothing. */
  take(owners: readonly string[], amount: number): () => void {
    this.change(owners, amount);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.change(owners, -amount);
    };
  }
}
