import type { LoadStats } from '@spillway/testing';
import type { SoakOptions } from './options.js';
import type { FaultWindow, Soaked } from './soak.js';

const shownViolations = 30;

export const held = ({ violations, troubles, growth }: Soaked): boolean =>
  violations.length === 0 && troubles.length === 0 && !growth.some(({ grew }) => grew);

/** What a run was and what it found, as lines. */
export function reportLines(options: SoakOptions, soaked: Soaked): string[] {
  const { stats, windows, violations, troubles, growth, parked, modelCalls } = soaked;
  const failures = Object.entries(stats.failures).map(
    ([status, n]) => `${status === '0' ? 'none' : status}: ${n}`,
  );
  const byKind = Map.groupBy(violations, (violation) => violation.invariant);
  return [
    `\nSoak of ${options.minutes} min at ${options.rate} messages/s, seed ${options.seed}`,
    row('messages', `${stats.messages}, ${stats.acked} acknowledged, ${stats.abandoned} given up`),
    row('retries', `${stats.retries}; answers that were not 2xx: ${failures.join(', ') || 'none'}`),
    row('reads', `${stats.contexts} contexts, ${stats.outputs} outputs`),
    row('append', latencies(stats, windows)),
    row('model calls', `${modelCalls}`),
    row('parked', parked.map(({ reason, threads }) => `${reason}: ${threads}`).join(', ') || 'none'),
    ...[...Map.groupBy(windows, (window) => window.name)].map(([name, all]) =>
      row('fault', `${name} x ${all.length}`),
    ),
    ...growth.map(({ metric, start, end, grew }) =>
      row(metric, `${start} -> ${end}${grew ? '   GREW' : ''}`),
    ),
    ...troubles.map((trouble) => row('TROUBLE', trouble)),
    ...[...byKind].map(([invariant, all]) => row('VIOLATED', `${invariant} x ${all.length}`)),
    ...violations
      .slice(0, shownViolations)
      .map(
        ({ invariant, at, seq, detail }) =>
          `    ${invariant} ${at}${seq === null ? '' : ` seq ${seq}`}: ${detail}`,
      ),
    row('violations', `${violations.length}`),
    held(soaked) ? 'Everything held.' : `NOT everything held. Repeat it with --seed ${options.seed}`,
  ];
}

const row = (name: string, value: string): string => `  ${name.padEnd(18)}${value}`;

/** Of appends outside of all fault windows. */
function latencies({ appends }: LoadStats, windows: readonly FaultWindow[]): string {
  const calm = appends
    .filter(({ at }) => !windows.some(({ from, to }) => from <= at && at <= to))
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  const at = (share: number) => (calm[Math.floor(calm.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${calm.length} of ${appends.length}, outside of faults)`;
}
