import type { Schemas } from '@spillway/client';

/** A bucket with its axis label. */
export type ChartRow = Schemas['UsageBucket'] & { name: string };
