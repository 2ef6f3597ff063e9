/** Does work for 0 to count - 1, so many at a time. */
export async function each(
  count: number,
  inFlight: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
}
