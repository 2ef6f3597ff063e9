/** The work was not done in time. */
export const late = Symbol('late');

/** What the work resolves to, or `late` after this many milliseconds: then it goes on, and nobody waits for it. */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([work, isOver]);
  } finally {
    clearTimeout(timer);
  }
}
