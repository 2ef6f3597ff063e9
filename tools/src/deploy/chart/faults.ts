import { invalidValues, unknownFields } from './kubernetes-schemas.js';
import { knownVariables } from '../known-variables.js';
import type { Manifest } from './manifest.js';
import { otherMonitoring } from './rules/monitoring.js';
import { faultyPods } from './rules/pods.js';
import { danglingReferences, type External } from './rules/references.js';
import { misplacedSettings } from './rules/settings.js';

/** What is wrong with the objects of a release. Rules read only objects that Kubernetes would take. */
export async function faultsOf(
  manifests: readonly Manifest[],
  external: External,
  secretValues: readonly string[],
): Promise<string[]> {
  const refused = [...(await invalidValues(manifests)), ...unknownFields(manifests)];
  if (refused.length > 0) return refused;
  return [
    ...faultyPods(manifests),
    ...danglingReferences(manifests, external),
    ...misplacedSettings(manifests, await knownVariables(), secretValues),
    ...(await otherMonitoring(manifests)),
  ];
}
