import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Say } from '../../check/check.js';
import { runCommand } from '../../run-command.js';
import { staleFiles } from '../../generated-files.js';
import { repository } from '../../repository.js';
import { chartPath } from './chart.js';
import { chartFiles } from './chart-files.js';
import { faultsOf } from './faults.js';
import { findHelms, type Helm } from './helm-program.js';
import { acceptedMistakes, refusalCount } from './refusals.js';
import { manifestsIn, renderChart, valueSets } from './render-chart.js';

/**
 * Renders the Helm chart with several values by a real Helm and checks what comes out: by the schemas and types of
 * Kubernetes, and by rules about what belongs together. Values that cannot work must be refused.
 */
export async function checkChart(say: Say): Promise<string[]> {
  const stale = await staleFiles(await chartFiles(), 'npm run generate');
  const helms = await findHelms();
  if (helms.length === 0) {
    say('The chart was not rendered: no Helm is on this machine, and the one of npm is for Linux on x64');
    return stale;
  }
  const sets = await valueSets();
  const complaints = [...stale];
  let objects = 0;
  for (const helm of helms) {
    for (const values of sets) {
      const { faults, count } = await rendered(helm, values);
      complaints.push(...faults.map((fault) => `Helm ${helm.version}, ${values}: ${fault}`));
      objects += count;
    }
    complaints.push(...(await acceptedMistakes(helm)));
  }
  const versions = helms.map(({ version }) => version).join(' and ');
  say(
    `Helm ${versions}: ${sets.length} sets of values make ${objects} objects, ${refusalCount} mistakes are refused`,
  );
  return complaints;
}

interface Values {
  secrets?: { existingSecret?: string; values?: Record<string, string> };
  outputs?: { folder?: { existingClaim?: string } };
}

async function rendered(helm: Helm, path: string): Promise<{ faults: string[]; count: number }> {
  const values = parse(await readFile(join(repository, path), 'utf8')) as Values;
  const linted = await runCommand([helm.path, 'lint', chartPath, '--strict', '--values', path]);
  const { ok, output } = await renderChart(helm, path);
  if (!ok) return { faults: [output], count: 0 };
  const manifests = manifestsIn(output);
  const external = {
    secret: values.secrets?.existingSecret,
    claim: values.outputs?.folder?.existingClaim,
  };
  const faults = [
    ...(linted.ok ? [] : [linted.output]),
    ...(await faultsOf(manifests, external, Object.values(values.secrets?.values ?? {}))),
  ];
  return { faults, count: manifests.length };
}
