import type { MetricsReport } from '@spillway/service';

/**
 * What the supervisor takes itself, by the names that prom-client has for a process, and how many processes it started
 * again: one that ends at once could not tell of it. It loads no prom-client, which adds these to those of the
 * processes that serve.
 */
export function ownReport(restarts: number): MetricsReport {
  const { user, system } = process.cpuUsage();
  const metric = (type: string, name: string, value: number) => ({
    name,
    type,
    help: 'Of the processes of this API.',
    aggregator: 'sum',
    values: [{ value, labels: {} }],
  });
  return [
    metric('counter', 'process_cpu_user_seconds_total', user / 1e6),
    metric('counter', 'process_cpu_system_seconds_total', system / 1e6),
    metric('counter', 'process_cpu_seconds_total', (user + system) / 1e6),
    metric('gauge', 'process_resident_memory_bytes', process.memoryUsage.rss()),
    metric('counter', 'spillway_api_process_restarts_total', restarts),
  ];
}
