/** Labels of times at one distance. By default the last one is always shown, and one before it gives way. */
export const evenTicks = { interval: 'equidistantPreserveStart' } as const;
