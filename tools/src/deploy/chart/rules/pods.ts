import type { Container, Manifest } from '../manifest.js';
import { nameOf } from '../manifest.js';

interface Program {
  /** The port that it listens on by default, which its image exposes. */
  port: number;
  alive: string;
  ready: string;
  /** Seconds that it may take to stop. */
  stopSeconds: number;
}

/** What the programs are like, by the name of their container. */
const programs: Record<string, Program> = {
  api: { port: 4000, alive: '/healthz', ready: '/readyz', stopSeconds: 28 },
  worker: { port: 4002, alive: '/healthz', ready: '/readyz', stopSeconds: 25 },
  console: { port: 4001, alive: '/login', ready: '/login', stopSeconds: 0 },
};

/** Pods are restricted, bounded, probed where the program answers, and have volumes for what they mount. */
export function faultyPods(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const pod = manifest.spec?.template?.spec;
    if (!pod) return [];
    const faults = pod.containers.flatMap((container) => [
      ...faultsOfContainer(container),
      ...faultsOfProgram(container, manifest),
    ]);
    faults.push(...faultsOfDeadline(manifest));
    if (pod.automountServiceAccountToken !== false) faults.push('its pod gets a token of Kubernetes');
    if (pod.enableServiceLinks !== false) faults.push('variables of services can take the place of settings');
    if (!pod.securityContext?.runAsNonRoot) faults.push('its pod may run as root');
    const volumes = new Set(pod.volumes?.map(({ name }) => name));
    for (const { volumeMounts = [] } of pod.containers)
      for (const { name } of volumeMounts) if (!volumes.has(name)) faults.push(`there is no volume ${name}`);
    return faults.map((fault) => `${nameOf(manifest)}: ${fault}`);
  });
}

/** At its deadline Kubernetes deletes the pod of a Job, with what it says about a lock that it waited for. */
function faultsOfDeadline({ spec }: Manifest): string[] {
  const deadlineMs = (spec?.activeDeadlineSeconds ?? Infinity) * 1_000;
  const migrate = spec?.template?.spec.containers.find(({ name }) => name === 'migrate');
  const waitMs = Number(migrate?.env.find(({ name }) => name === 'MIGRATION_WAIT_MS')?.value ?? Infinity);
  if (!migrate || waitMs < deadlineMs) return [];
  return [`migrate waits ${waitMs} ms for locks, and is killed after ${deadlineMs} ms`];
}

function faultsOfContainer({ name, env, resources, securityContext }: Container): string[] {
  const names = env.map((variable) => variable.name);
  const faults = names
    .filter((variable, i) => names.indexOf(variable) !== i)
    .map((variable) => `${variable} is set twice`);
  if (!resources?.limits?.memory) faults.push(`${name} has no limit of memory`);
  if (!resources?.requests?.cpu || !resources.requests.memory) faults.push(`${name} requests no resources`);
  if (
    !securityContext?.readOnlyRootFilesystem ||
    securityContext.allowPrivilegeEscalation !== false ||
    securityContext.capabilities?.drop?.[0] !== 'ALL'
  )
    faults.push(`${name} is not restricted`);
  return faults;
}

function faultsOfProgram(container: Container, { spec }: Manifest): string[] {
  const program = programs[container.name];
  if (!program) return container.name === 'migrate' ? [] : [`${container.name} is no program of Spillway`];
  const { ports = [], env, startupProbe, livenessProbe, readinessProbe } = container;
  const faults: string[] = [];
  const [port] = ports;
  if (port?.containerPort !== program.port) faults.push(`${container.name} listens on ${program.port}`);
  const set = env.find(({ name }) => name === 'API_PORT' || name === 'WORKER_PORT')?.value;
  if (set !== undefined && set !== `${program.port}`)
    faults.push(`${container.name} is asked to listen on ${set}`);
  const probes = { [program.alive]: [startupProbe, livenessProbe], [program.ready]: [readinessProbe] };
  for (const [path, asked] of Object.entries(probes))
    for (const probe of asked)
      if (probe?.httpGet.path !== path || probe.httpGet.port !== port?.name)
        faults.push(`a probe of ${container.name} does not ask ${path} on ${port?.name}`);
  const given = spec?.template?.spec.terminationGracePeriodSeconds ?? 0;
  if (given <= program.stopSeconds)
    faults.push(`${container.name} may take ${program.stopSeconds} s to stop and is given ${given}`);
  return faults;
}
