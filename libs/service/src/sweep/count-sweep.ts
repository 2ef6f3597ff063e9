import type { Runtime } from '../runtime.js';

/** Counts the sweep of one project. */
export function countSweep(
  { metrics }: Pick<Runtime, 'metrics'>,
  sweep: 'outputs' | 'storage',
  { outcome, blobs, bytes }: { outcome: 'done' | 'refused' | 'failed'; blobs: number; bytes: number },
): void {
  metrics.add('spillway_sweeps_total', { sweep, outcome });
  metrics.add('spillway_swept_blobs_total', { sweep }, blobs);
  metrics.add('spillway_swept_bytes_total', { sweep }, bytes);
}

/** Counts projects in which the sweep of outputs had nothing to do. */
export const countIdle = ({ metrics }: Pick<Runtime, 'metrics'>, projects: number): void =>
  metrics.add('spillway_sweeps_total', { sweep: 'outputs', outcome: 'done' }, projects);
