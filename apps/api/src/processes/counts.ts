import type { MetricsReport } from '@spillway/service';

type Metric = MetricsReport[number];
type Sample = Metric['values'][number];

/** What only grows: it stays true when its process is gone. A gauge does not. */
export const countsOf = (report: MetricsReport): MetricsReport =>
  report.filter(({ type }) => type === 'counter' || type === 'histogram');

/**
 * Adds up the counts of processes that are gone. Without them, the sums of an API would shrink when one of its
 * processes ends, and Prometheus would take that for a restart of all and count everything again.
 */
export class CountsOfEnded {
  private readonly metrics = new Map<string, { metric: Metric; byLabels: Map<string, Sample> }>();

  add(report: MetricsReport): void {
    for (const metric of countsOf(report)) {
      const known = this.metrics.get(metric.name) ?? { metric, byLabels: new Map<string, Sample>() };
      this.metrics.set(metric.name, known);
      for (const sample of metric.values) {
        const key = keyOf(sample);
        const value = (known.byLabels.get(key)?.value ?? 0) + sample.value;
        known.byLabels.set(key, { ...sample, value });
      }
    }
  }

  report(): MetricsReport {
    return [...this.metrics.values()].map(({ metric, byLabels }) => ({
      ...metric,
      values: [...byLabels.values()],
    }));
  }
}

const keyOf = ({ metricName, labels }: Sample): string =>
  JSON.stringify([metricName, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
