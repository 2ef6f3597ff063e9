/** The calls of a step that wait for results. Each call and each result takes constant time. */
export class OpenCalls {
  /** The first call of each id, in the order of the calls. */
  private readonly first = new Set<string>();
  /** Further calls with the id of an open one, in order, and how many of each id are open. */
  private readonly further: string[] = [];
  private readonly openFurther = new Map<string, number>();

  get size(): number {
    return this.first.size;
  }

  has(id: string): boolean {
    return this.first.has(id) || (this.openFurther.get(id) ?? 0) > 0;
  }

  add(id: string): void {
    if (!this.first.has(id)) {
      this.first.add(id);
      return;
    }
    this.further.push(id);
    this.openFurther.set(id, (this.openFurther.get(id) ?? 0) + 1);
  }

  /** A result came for one call of this id, the oldest. False when none is open. */
  answer(id: string): boolean {
    if (this.first.delete(id)) return true;
    const open = this.openFurther.get(id) ?? 0;
    if (open === 0) return false;
    this.openFurther.set(id, open - 1);
    return true;
  }

  unanswered(): string[] {
    return [...this.first];
  }

  /** Of each id the last ones: results went to the calls before them. */
  repeated(): string[] {
    const left = new Map(this.openFurther);
    const last = this.further.toReversed().filter((id) => {
      const open = left.get(id)!;
      left.set(id, open - 1);
      return open > 0;
    });
    return last.reverse();
  }
}
