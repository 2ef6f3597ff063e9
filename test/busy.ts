import { availableParallelism, loadavg } from 'node:os';

/** How many times what it can do the machine is asked to do; 1 when it has room. A promise about time is made for then. */
export const busy = (): number => Math.max(1, (loadavg()[0] ?? 1) / availableParallelism());
