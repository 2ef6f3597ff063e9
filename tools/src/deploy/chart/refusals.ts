import { renderChart } from './render-chart.js';
import { chartPath } from './chart.js';
import type { Helm } from './helm-program.js';

const withSecret = `${chartPath}/ci/secret-of-yours-values.yaml`;
const withValues = `${chartPath}/ci/values-as-secrets-values.yaml`;
const onOneNode = `${chartPath}/ci/folder-on-one-node-values.yaml`;
const scaled = `${chartPath}/ci/watched-and-scaled-values.yaml`;

/** Values that the chart must refuse, and a part of what it then says. */
const refusals: { values: string; set: string[]; says: RegExp }[] = [
  { values: withSecret, set: ['outputs.s3.bucket='], says: /outputs\.s3\.bucket is empty: name a bucket/ },
  { values: onOneNode, set: ['worker.replicas=2'], says: /one node can mount: worker\.replicas must be 1/ },
  { values: onOneNode, set: ['api.replicas=2'], says: /one node can mount: api\.replicas must be 1/ },
  {
    values: onOneNode,
    set: ['api.autoscaling.enabled=true'],
    says: /one node can mount: api\.autoscaling cannot be enabled/,
  },
  {
    values: scaled,
    set: [
      ...['outputs.storage=folder', 'outputs.folder.accessMode=ReadWriteOnce'],
      ...['api.replicas=1', 'worker.replicas=1'],
    ],
    says: /one node can mount: worker\.keda cannot be enabled/,
  },
  ...['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'REDIS_URL', 'SPILLWAY_BOOTSTRAP_KEY', 'SPILLWAY_SECRET_KEY']
    .concat('CONSOLE_SESSION_SECRET', 'SPILLWAY_LLM_API_KEY', 'AWS_SECRET_ACCESS_KEY')
    .map((name) => ({
      values: withValues,
      set: [`secrets.values.${name}=`],
      says: new RegExp(`secrets\\.values\\.${name} is empty`),
    })),
  {
    values: withSecret,
    set: ['llm.provider=openai-compatible'],
    says: /llm\.baseUrl is empty: llm\.provider openai-compatible needs the address of its API/,
  },
  {
    values: withValues,
    set: ['metrics.enabled=true'],
    says: /secrets\.values\.SPILLWAY_OPERATOR_PASSWORD is empty/,
  },
  { values: withValues, set: ['secrets.values.SPILLWAY_SECRET_KEY=short'], says: /SPILLWAY_SECRET_KEY/ },
  { values: scaled, set: ['metrics.enabled=false'], says: /worker\.keda needs metrics\.enabled/ },
  {
    values: scaled,
    set: ['worker.keda.prometheusAddress='],
    says: /worker\.keda\.prometheusAddress is empty/,
  },
  {
    values: scaled,
    set: ['worker.keda.minReplicas=21'],
    says: /worker\.keda\.minReplicas is greater than worker\.keda\.maxReplicas/,
  },
  { values: scaled, set: ['worker.keda.minReplicas=0'], says: /minReplicas/ },
  {
    values: withSecret,
    set: ['metrics.rules.enabled=true'],
    says: /metrics\.podMonitor and metrics\.rules need metrics\.enabled/,
  },
  { values: withSecret, set: ['ingress.enabled=true'], says: /ingress\.enabled needs ingress\.api\.host/ },
  {
    values: withSecret,
    set: ['api.drainSeconds=20'],
    says: /api\.terminationGracePeriodSeconds must be at least 48/,
  },
  {
    values: withSecret,
    set: ['worker.terminationGracePeriodSeconds=20'],
    says: /terminationGracePeriodSeconds/,
  },
  { values: withSecret, set: ['migrations.eventEpoch=2'], says: /eventEpoch/ },
  {
    values: withSecret,
    set: ['migrations.eventEpoch=new', 'migrations.enabled=false'],
    says: /migrations\.eventEpoch needs migrations\.enabled/,
  },
  { values: withSecret, set: ['api.env.REDIS_URL=redis://elsewhere'], says: /REDIS_URL/ },
  { values: withSecret, set: ['replicas=3'], says: /replicas/ },
];

export const refusalCount = refusals.length;

/** Returns the values that were not refused, or for another reason. */
export async function acceptedMistakes(helm: Helm): Promise<string[]> {
  const complaints: string[] = [];
  for (const { values, set, says } of refusals) {
    const { ok, output } = await renderChart(helm, values, set);
    const with_ = `Helm ${helm.version}, ${values} with ${set.join(', ')}`;
    if (ok) complaints.push(`${with_}: it is not refused`);
    else if (!says.test(output)) complaints.push(`${with_}: refused for another reason: ${output.trim()}`);
  }
  return complaints;
}
