import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricCatalogue, type MetricName, type MetricSpec } from './catalogue.js';

type Catalogue = typeof metricCatalogue;
type Labels<Name extends MetricName> = Catalogue[Name] extends { labels: infer Of }
  ? Record<keyof Of, string>
  : Record<never, string>;
type Named<Kind> = {
  [Name in MetricName]: Catalogue[Name] extends { kind: Kind } ? Name : never;
}[MetricName];

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

  private define(name: MetricName, { kind, help, labels = {}, buckets = [] }: MetricSpec): void {
    const options = { name, help, labelNames: Object.keys(labels), registers: [this.registry] };
    if (kind === 'histogram') {
      this.histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
    } else if (kind === 'gauge') {
      this.gauges.set(name, new Gauge(options));
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
