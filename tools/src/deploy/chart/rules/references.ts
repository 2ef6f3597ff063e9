import { nameOf, type Labels, type Manifest } from '../manifest.js';

/** What the operator makes, as the values say. */
export interface External {
  secret: string | undefined;
  claim: string | undefined;
}

const matches = (selector: Labels, labels: Labels = {}): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Every selector selects the pods it is meant for, and every name leads to an object of the release or of the operator. */
export function danglingReferences(manifests: readonly Manifest[], external: External): string[] {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  const complaints: string[] = [];
  const complain = (manifest: Manifest, text: string) => complaints.push(`${nameOf(manifest)}: ${text}`);
  const isThere = (kind: string, name: string) =>
    manifests.some((one) => one.kind === kind && one.metadata.name === name);

  /** The one deployment whose pods a selector selects. */
  const selected = (manifest: Manifest, selector: Labels): Manifest | undefined => {
    const found = manifests.filter(({ spec }) => matches(selector, spec?.template?.metadata.labels ?? {}));
    const [only] = found.filter(({ spec }) => spec?.template !== undefined);
    if (found.length !== 1) complain(manifest, `selects the pods of ${found.length} objects`);
    return only;
  };
  const portsOf = (deployment: Manifest | undefined) =>
    deployment?.spec?.template?.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)) ??
    [];

  for (const manifest of manifests) {
    const { kind, spec } = manifest;
    if (kind === 'Deployment' && selected(manifest, spec!.selector!.matchLabels!) !== manifest)
      complain(manifest, 'does not select its own pods');
    if (kind === 'PodDisruptionBudget') selected(manifest, spec!.selector!.matchLabels!);
    if (kind === 'Service') {
      const target = selected(manifest, spec!.selector as Labels);
      for (const { targetPort } of spec!.ports!)
        if (!portsOf(target).includes(targetPort)) complain(manifest, `leads to no port ${targetPort}`);
    }
    if (spec?.scaleTargetRef) {
      const target = deployments.find(({ metadata }) => metadata.name === spec.scaleTargetRef!.name);
      if (!target) complain(manifest, 'scales nothing');
      else if (target.spec?.replicas !== undefined)
        complain(target, 'sets the replicas that something else scales');
    }
    for (const { backend } of (spec?.rules ?? []).flatMap(({ http }) => http.paths)) {
      const service = manifests.find(
        ({ kind: of, metadata }) => of === 'Service' && metadata.name === backend.service.name,
      );
      if (!service?.spec!.ports!.some(({ name }) => name === backend.service.port.name))
        complain(manifest, `leads to no service ${backend.service.name}`);
    }
    for (const { port } of spec?.podMetricsEndpoints ?? [])
      if (!deployments.some((deployment) => portsOf(deployment).includes(port)))
        complain(manifest, `scrapes no port ${port}`);
    const pod = spec?.template;
    for (const { labelSelector } of pod?.spec.topologySpreadConstraints ?? [])
      if (!matches(labelSelector.matchLabels, pod!.metadata.labels)) complain(manifest, 'spreads other pods');
    const account = pod?.spec.serviceAccountName;
    if (account !== undefined && account !== 'default' && !isThere('ServiceAccount', account))
      complain(manifest, `there is no account ${account}`);
    for (const { configMap, persistentVolumeClaim: claim } of pod?.spec.volumes ?? []) {
      if (configMap && !isThere('ConfigMap', configMap.name))
        complain(manifest, `there is no ${configMap.name}`);
      if (claim && claim.claimName !== external.claim && !isThere('PersistentVolumeClaim', claim.claimName))
        complain(manifest, `there is no claim ${claim.claimName}`);
    }
    for (const { name, key } of secretKeysOf(manifest)) {
      if (name === external.secret) continue;
      const secret = manifests.find((one) => one.kind === 'Secret' && one.metadata.name === name);
      if (!secret?.stringData?.[key]) complain(manifest, `no secret ${name} has ${key}`);
    }
  }
  return complaints;
}

const secretKeysOf = ({ spec }: Manifest) => [
  ...(spec?.template?.spec.containers ?? []).flatMap(({ env }) =>
    env.flatMap(({ valueFrom }) => (valueFrom ? [valueFrom.secretKeyRef] : [])),
  ),
  ...(spec?.podMetricsEndpoints ?? []).flatMap(({ basicAuth }) => Object.values(basicAuth)),
];
