import { recentThreads } from '@/ui/palette/recent-threads';

/**
 * Clears what the browser stores of the last session: the next one may be another person's. What is in memory is dropped
 * with the document.
 */
export const forgetLastSession = (): void => recentThreads.write([]);
