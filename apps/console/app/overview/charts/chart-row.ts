import type { Schemas } from '@spillway/client';

/** A bucket with what its axis calls it. */
export type ChartRow = Schemas['UsageBucket'] & { name: string };
