const isFull = process.env.SPILLWAY_SIZES === 'full';

/** How much of something a test does: `npm run nightly` does all of it, each other run what takes seconds. */
export const sized = (quick: number, full: number): number => (isFull ? full : quick);
