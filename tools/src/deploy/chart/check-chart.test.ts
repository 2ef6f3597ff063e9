// @module-tag long
import { describe, expect, test } from 'vitest';
import { faultsOf } from './faults.js';
import { findHelms } from './helm-program.js';
import type { Manifest } from './manifest.js';
import { manifestsIn, renderChart } from './render-chart.js';

const [helm] = await findHelms();
const rendered = helm
  ? await renderChart(helm, 'deploy/helm/spillway/ci/watched-and-scaled-values.yaml')
  : { ok: false, output: '' };

const complaintsOf = async (manifests: Manifest[]): Promise<string> => {
  const external = { secret: 'spillway-secrets', claim: undefined };
  return (await faultsOf(manifests, external, ['the-value-of-a-secret'])).join('\n');
};

/** Replaces a text in an object of the release, which must be there. */
const edited = (kind: string, name: string, from: string | RegExp, to: string): Manifest[] => {
  const manifests = manifestsIn(rendered.output);
  const at = manifests.findIndex((one) => one.kind === kind && one.metadata.name === name);
  const before = JSON.stringify(manifests[at]);
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  manifests[at] = JSON.parse(after) as Manifest;
  return manifests;
};

test.skipIf(helm === undefined)(
  'migrations.eventEpoch begins an epoch of events, and by default none',
  async () => {
    const values = 'deploy/helm/spillway/ci/watched-and-scaled-values.yaml';
    const variablesWith = async (set: string[]) => {
      const { ok, output } = await renderChart(helm!, values, set);
      expect(ok, output).toBe(true);
      const job = manifestsIn(output).find(({ kind }) => kind === 'Job');
      return JSON.stringify(job).match(/\{"name":"MIGRATION_EVENT_EPOCH"[^}]*\}/g) ?? [];
    };
    expect(await variablesWith([])).toEqual([]);
    expect(await variablesWith(['migrations.eventEpoch=new'])).toEqual([
      '{"name":"MIGRATION_EVENT_EPOCH","value":"new"}',
    ]);
  },
);

describe.skipIf(helm === undefined)('the check of the Helm chart', () => {
  test('finds nothing in the chart as it is', async () => {
    expect(rendered.ok).toBe(true);
    expect(await complaintsOf(manifestsIn(rendered.output))).toBe('');
  });

  test.each([
    [
      'a field that Kubernetes does not know',
      'Deployment',
      'readinessProbe',
      'readinesProbe',
      /readinesProbe/,
    ],
    [
      'a value of another type',
      'Deployment',
      '"containerPort":4000',
      '"containerPort":"many"',
      /must be integer/,
    ],
    ['a required field that is missing', 'Deployment', '"selector"', '"selectors"', /selector/],
    [
      'a variable that no program reads',
      'Deployment',
      'SPILLWAY_POOL',
      'SPILLWAY_POOLS',
      /api does not read/,
    ],
    [
      'a variable that is set twice',
      'Deployment',
      '"SPILLWAY_POOL"',
      '"LOG_LEVEL"',
      /LOG_LEVEL is set twice/,
    ],
    [
      'another port than the program has',
      'Deployment',
      '"containerPort":4000',
      '"containerPort":80',
      /listens on 4000/,
    ],
    ['a probe of another path', 'Deployment', '/readyz', '/ready', /does not ask \/readyz on api/],
    [
      'a container that may write',
      'Deployment',
      'readOnlyRootFilesystem":true',
      'readOnlyRootFilesystem":false',
      /not restricted/,
    ],
    [
      'too little time to stop',
      'Deployment',
      '"terminationGracePeriodSeconds":40',
      '"terminationGracePeriodSeconds":20',
      /may take 28 s/,
    ],
    [
      'a volume that is not there',
      'Deployment',
      '"volumes":[{"name":"tmp"',
      '"volumes":[{"name":"temp"',
      /no volume tmp/,
    ],
    [
      'a secret that is not there',
      'Deployment',
      '"name":"spillway-secrets"',
      '"name":"other"',
      /no secret other has/,
    ],
    [
      'the value of a secret in another object',
      'Deployment',
      '"value":"info"',
      '"value":"the-value-of-a-secret"',
      /shows 1 values/,
    ],
    [
      'the owner of the tables in the API',
      'Deployment',
      '"key":"REDIS_URL"',
      '"key":"MIGRATION_DATABASE_URL"',
      /URL of the owner/,
    ],
    [
      'a service that leads to no port',
      'Service',
      '"targetPort":"api"',
      '"targetPort":"http"',
      /leads to no port http/,
    ],
    [
      'a service without pods',
      'Service',
      '"app.kubernetes.io/component":"api"}}}',
      '"app.kubernetes.io/component":"web"}}}',
      /selects the pods of 0/,
    ],
  ] as const)('finds %s', async (_what, kind, from, to, complaint) => {
    expect(await complaintsOf(edited(kind, 'spillway-api', from, to))).toMatch(complaint);
  });

  test.each([
    ['other alert rules', 'PrometheusRule', 'spillway', '"for":"2m"', '"for":"3m"', /not those of deploy/],
    [
      'another dashboard',
      'ConfigMap',
      'spillway-dashboard',
      'Oldest due thread',
      'Oldest',
      /not the dashboard/,
    ],
    [
      'a metric that is not there',
      'ScaledObject',
      'spillway-worker',
      'spillway_threads',
      'spillway_thread',
      /no metric of Spillway/,
    ],
    [
      'something that scales nothing',
      'ScaledObject',
      'spillway-worker',
      '{"name":"spillway-worker"}',
      '{"name":"other"}',
      /scales nothing/,
    ],
    [
      'a port that no pod has',
      'PodMonitor',
      'spillway',
      '"port":"worker"',
      '"port":"http"',
      /scrapes no port http/,
    ],
    [
      'migrations that wait for longer than they may take',
      'Job',
      'spillway-migrations',
      '"activeDeadlineSeconds":1200',
      '"activeDeadlineSeconds":600',
      /migrate waits 600000 ms for locks, and is killed after 600000 ms/,
    ],
  ] as const)('finds %s', async (_what, kind, name, from, to, complaint) => {
    expect(await complaintsOf(edited(kind, name, from, to))).toMatch(complaint);
  });
});
