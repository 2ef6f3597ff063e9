import { readdir } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { runCommand } from '../../run-command.js';
import { chartPath, inChart } from './chart.js';
import type { Helm } from './helm-program.js';
import type { Manifest } from './manifest.js';

/** The version of Kubernetes that the chart is rendered for. Helm would take one of the time of its own release. */
const kubernetes = '1.33.0';

/** The namespace of the rendered release. */
export const namespace = 'memory';

/** Renders the chart with a file of values and with single ones (`--set`). */
export async function renderChart(
  { path }: Helm,
  values: string,
  set: readonly string[] = [],
): Promise<{ ok: boolean; output: string }> {
  const command = [
    path,
    'template',
    'spillway',
    chartPath,
    '--namespace',
    namespace,
    '--kube-version',
    kubernetes,
  ];
  return runCommand([...command, '--values', values, ...set.flatMap((one) => ['--set', one])]);
}

/** Files of values that the chart is rendered with, each an installation that somebody may want. */
export async function valueSets(): Promise<string[]> {
  const names = await readdir(inChart('ci'));
  return names.sort().map((name) => `${chartPath}/ci/${name}`);
}

/** The documents of what Helm rendered. Throws when one is no YAML or no object of Kubernetes. */
export function manifestsIn(rendered: string): Manifest[] {
  return parseAllDocuments(rendered).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.map(({ message }) => message).join('\n'));
    const object = document.toJS() as Manifest | null;
    if (object === null) return [];
    if (!object.kind || !object.apiVersion || !object.metadata?.name)
      throw new Error(`A document has no kind, apiVersion or name: ${JSON.stringify(object).slice(0, 200)}`);
    return [object];
  });
}
