import { metricCatalogue } from '@spillway/service';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { repository } from '../../../repository.js';
import { nameOf, type Manifest } from '../manifest.js';

const textOf = (path: string): Promise<string> => readFile(join(repository, path), 'utf8');

/** Rules and dashboard are those of the repository; what scales by a metric names one that there is. */
export async function otherMonitoring(manifests: readonly Manifest[]): Promise<string[]> {
  const { groups } = parse(await textOf('deploy/prometheus/alerts.yml')) as { groups: unknown[] };
  const dashboard: unknown = JSON.parse(await textOf('deploy/grafana/spillway.json'));
  return manifests.flatMap((manifest) => {
    const { kind, data, spec } = manifest;
    const faults: string[] = [];
    if (kind === 'PrometheusRule' && !isDeepStrictEqual(spec!.groups, groups))
      faults.push('its rules are not those of deploy/prometheus/alerts.yml');
    const shown = data?.['spillway.json'];
    if (shown !== undefined && !isDeepStrictEqual(JSON.parse(shown), dashboard))
      faults.push('it is not the dashboard of deploy/grafana/spillway.json');
    for (const { metadata } of spec?.triggers ?? []) {
      const named = metadata.query?.match(/\bspillway_\w+/g) ?? [];
      const unknown = named.filter((name) => !(name in metricCatalogue));
      if (named.length === 0 || unknown.length > 0)
        faults.push(`its query names no metric of Spillway: ${metadata.query}`);
    }
    return faults.map((fault) => `${nameOf(manifest)}: ${fault}`);
  });
}
