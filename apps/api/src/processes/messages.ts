import type { MetricsReport } from '@spillway/service';

/** What a process of the API sends to its supervisor. */
export type ToSupervisor =
  /** Its metrics: as an answer to the request with that number, or unasked so that they outlive it. */
  | { kind: 'report'; metrics: MetricsReport; request?: number }
  /** Asks for the metrics of all. */
  | { kind: 'gather'; request: number };

/** What the supervisor sends to a process of the API. */
export type ToProcess =
  | { kind: 'report'; request: number }
  /** What the processes reported, and what those counted that are gone. */
  | { kind: 'gathered'; request: number; reports: MetricsReport[] };
