/** All chance of a run, from one 64-bit seed: the same seed gives the same run. (sfc32, seeded by splitmix.) */
export class Chance {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: bigint) {
    let mixed = BigInt.asUintN(64, seed);
    const next = (): number => {
      mixed = BigInt.asUintN(64, mixed + 0x9e3779b97f4a7c15n);
      let z = mixed;
      z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
      z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
      return Number((z ^ (z >> 31n)) & 0xffffffffn) | 0;
    };
    this.a = next();
    this.b = next();
    this.c = next();
    for (let i = 0; i < 12; i++) this.random();
  }

  /** In [0, 1). */
  random(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }

  /** A whole number in [0, n). */
  below(n: number): number {
    return Math.floor(this.random() * n);
  }

  happens(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** A seed for a run that nobody chose. */
export const freshSeed = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0]!;
