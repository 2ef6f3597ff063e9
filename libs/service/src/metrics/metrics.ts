import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type Aggregator,
} from 'prom-client';
import { metricCatalogue, type MetricName, type MetricSpec } from './catalogue.js';

type Catalogue = typeof metricCatalogue;
type Labels<Name extends MetricName> = Catalogue[Name] extends { labels: infer Of }
  ? Record<keyof Of, string>
  : Record<never, string>;
type Named<Kind> = {
  [Name in MetricName]: Catalogue[Name] extends { kind: Kind } ? Name : never;
}[MetricName];

/** The metrics of one process as values that another process can add up. */
export type MetricsReport = {
  name: string;
  help: string;
  type: string;
  aggregator: string;
  values: { value: number; labels: object; metricName?: string }[];
}[];

/** Metrics of Node.js whose default is an average, which would hide the one process that is late, or is left out. */
const worstOfProcesses: Readonly<Record<string, Aggregator>> = {
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  process_start_time_seconds: 'min',
};

/** The metrics of several processes as those of one, in the text format of Prometheus. */
export const textOfReports = (reports: readonly MetricsReport[]): Promise<string> =>
  AggregatorRegistry.aggregate([...reports]).metrics();

/**
 * The metrics of this process. Counting is a few additions in memory; what lives elsewhere is read when somebody
 * scrapes. Values of labels that the catalogue does not list are counted as `other`, so a series cannot be added from
 * outside.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly counters = new Map<string, Counter>();
  private readonly gauges = new Map<string, Gauge>();
  private readonly histograms = new Map<string, Histogram>();
  private readonly beforeScrapes: (() => void)[] = [];

  constructor() {
    for (const [name, spec] of Object.entries(metricCatalogue) as [MetricName, MetricSpec][])
      this.define(name, spec);
  }

  /** Adds to a counter. It only grows: what is no positive number adds nothing, and never fails what is counted. */
  add<Name extends Named<'counter'>>(name: Name, labels: Labels<Name>, by = 1): void {
    if (by > 0 && Number.isFinite(by)) this.counters.get(name)!.inc(listed(name, labels), by);
  }

  observe<Name extends Named<'histogram'>>(name: Name, labels: Labels<Name>, value: number): void {
    if (Number.isFinite(value)) this.histograms.get(name)!.observe(listed(name, labels), value);
  }

  set<Name extends Named<'gauge'>>(name: Name, labels: Labels<Name>, value: number): void {
    this.gauges.get(name)!.set(listed(name, labels), value);
  }

  /** Changes a gauge by 1 or -1. */
  change<Name extends Named<'gauge'>>(name: Name, labels: Labels<Name>, by: 1 | -1): void {
    this.gauges.get(name)!.inc(listed(name, labels), by);
  }

  /** Removes all series of a gauge whose value is not known now. */
  forget(name: Named<'gauge'>): void {
    const gauge = this.gauges.get(name)!;
    // After a reset, a gauge without labels would be 0.
    if ('labels' in metricCatalogue[name]) gauge.reset();
    else gauge.remove();
  }

  /** Adds the metrics of the process itself: CPU, memory, event loop lag, garbage collection. */
  withProcess(): void {
    collectDefaultMetrics({ register: this.registry });
    for (const [name, aggregator] of Object.entries(worstOfProcesses)) {
      // The type of a metric has no aggregator, which its constructor and its report do.
      const metric = this.registry.getSingleMetric(name) as { aggregator?: Aggregator } | undefined;
      if (metric) metric.aggregator = aggregator;
    }
  }

  /** Called before each scrape, to set gauges of what this process knows. */
  beforeScrape(look: () => void): void {
    this.beforeScrapes.push(look);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    for (const look of this.beforeScrapes) look();
    return this.registry.metrics();
  }

  /** All metrics, to be added to those of other processes. */
  report(): Promise<MetricsReport> {
    for (const look of this.beforeScrapes) look();
    // Its types have numbers for types of metrics, which are words, and no names of samples.
    return this.registry.getMetricsAsJSON() as Promise<unknown> as Promise<MetricsReport>;
  }

  private define(name: MetricName, { kind, help, labels = {}, buckets = [], ofProcesses }: MetricSpec): void {
    const options = { name, help, labelNames: Object.keys(labels), registers: [this.registry] };
    if (kind === 'histogram') {
      this.histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
    } else if (kind === 'gauge') {
      this.gauges.set(name, new Gauge({ ...options, aggregator: ofProcesses ?? 'sum' }));
      // It has no series before its first value: 0 would be a claim.
      this.forget(name as Named<'gauge'>);
    } else {
      const counter = new Counter(options);
      this.counters.set(name, counter);
      for (const series of fewSeries(labels)) counter.inc(series, 0);
    }
  }
}

/** Counters of more series than these begin with their first event. */
const maxZeros = 20;

/** All series of a counter that has few: one that begins at 0 shows its first increase. */
function fewSeries(labels: NonNullable<MetricSpec['labels']>): Record<string, string>[] {
  let series: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return series.length > maxZeros ? [] : series;
}

const allowed = new Map<string, Map<string, ReadonlySet<string>>>(
  (Object.entries(metricCatalogue) as [MetricName, MetricSpec][]).map(([name, { labels = {} }]) => [
    name,
    new Map(
      Object.entries(labels).flatMap(([label, values]) =>
        typeof values === 'string' ? [] : [[label, new Set(values)] as const],
      ),
    ),
  ]),
);

function listed(name: MetricName, labels: Record<string, string>): Record<string, string> {
  const closed = allowed.get(name)!;
  let checked = labels;
  for (const label in labels) {
    if (closed.get(label)?.has(labels[label]!) === false) checked = { ...checked, [label]: 'other' };
  }
  return checked;
}
