/** Checks of promises against every answer. A check counts its trials and keeps its first failures. */
export class Checks {
  readonly #results = new Map<string, { trials: number; failures: string[] }>();

  /** One trial of the promise `name`; `detail` is evaluated only on failure. */
  expect(name: string, held: boolean, detail: () => string): void {
    const result = this.#results.get(name) ?? { trials: 0, failures: [] };
    this.#results.set(name, result);
    result.trials += 1;
    if (!held) result.failures.push(detail());
  }

  get failed(): boolean {
    return [...this.#results.values()].some((result) => result.failures.length > 0);
  }

  lines(): string[] {
    return [...this.#results].flatMap(([name, { trials, failures }]) => {
      const verdict = failures.length === 0 ? 'held' : `FAILED ${failures.length} of`;
      const shown = failures.slice(0, 3).map((failure) => `        ${failure}`);
      return [
        `  ${failures.length === 0 ? '✓' : '✗'} ${name}: ${verdict} ${trials} ${trials === 1 ? 'time' : 'times'}`,
        ...shown,
      ];
    });
  }
}
