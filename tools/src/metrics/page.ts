import { metricCatalogue, type MetricSpec } from '@spillway/service';
import { formatted } from '../formatted.js';
import type { GeneratedFile } from '../generated-files.js';

const path = 'docs/operations/metrics.md';

const head = `# Metrics

Every metric that API and worker export at \`/metrics\`, beside those of the process itself (\`process_*\`, \`nodejs_*\`).
Both export all of them; one that a process does not count stays 0 or has no series. [The guide](guide.md) says
how to scrape them and what to do when an alert fires. Labels have closed lists of values: another value is counted as
\`other\`, so no project, thread, key or model can add a series.

\`npm run generate\` writes this table from the catalogue (\`libs/service/src/metrics/catalogue.ts\`); \`npm run check\`
fails when it differs, and a test compares it with the scrape of a running API and worker.

| metric | type | labels | what |
| ------ | ---- | ------ | ---- |
`;

/** docs/operations/metrics.md: every metric of the catalogue. */
export async function metricsPage(): Promise<GeneratedFile> {
  const rows = Object.entries(metricCatalogue).map(([name, spec]: [string, MetricSpec]) => {
    const labels = Object.entries(spec.labels ?? {})
      .map(labelText)
      .join('<br>');
    return `| \`${name}\` | ${spec.kind} | ${labels} | ${spec.help} |\n`;
  });
  return { path, text: await formatted(path, head + rows.join('')) };
}

const labelText = ([label, values]: [string, readonly string[] | string]): string =>
  `\`${label}\`: ${typeof values === 'string' ? values : values.join(', ')}`;
