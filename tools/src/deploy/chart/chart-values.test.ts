import { describe, expect, test } from 'vitest';
import { findHelms } from './helm-program.js';
import { manifestsIn, renderChart } from './render-chart.js';

const [helm] = await findHelms();

/** The environment and the spec of the pods of a release, by the name of their container. */
async function podsWith(values: string, set: readonly string[]) {
  const { ok, output } = await renderChart(helm!, `deploy/helm/spillway/ci/${values}-values.yaml`, set);
  expect({ ok, output }).toEqual({ ok: true, output: expect.any(String) as string });
  return Object.fromEntries(
    manifestsIn(output).flatMap(({ spec }) => {
      const pod = spec?.template?.spec;
      return pod ? [[pod.containers[0]!.name, pod]] : [];
    }),
  );
}

describe.skipIf(helm === undefined)('the Helm chart', () => {
  test.each(['values-as-secrets', 'secret-of-yours'])(
    'starts a model at an address without a key (%s)',
    async (values) => {
      const pods = await podsWith(values, [
        'llm.provider=openai-compatible',
        'llm.baseUrl=http://vllm.models.svc:8000/v1',
        'secrets.values.SPILLWAY_LLM_API_KEY=',
      ]);
      for (const program of ['api', 'worker']) {
        const { env } = pods[program]!.containers[0]!;
        const key = env.find(({ name }) => name === 'SPILLWAY_LLM_API_KEY');
        expect(key?.valueFrom?.secretKeyRef).toMatchObject({ optional: true });
      }
    },
  );

  test('needs the key of a provider without an address', async () => {
    const pods = await podsWith('secret-of-yours', ['llm.provider=openai']);
    const { env } = pods.api!.containers[0]!;
    const key = env.find(({ name }) => name === 'SPILLWAY_LLM_API_KEY');
    expect(key?.valueFrom?.secretKeyRef).toEqual({ name: 'spillway-secrets', key: 'SPILLWAY_LLM_API_KEY' });
  });

  test('runs migrations on the nodes of the API', async () => {
    const term =
      'api.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]';
    const pods = await podsWith('highly-available', [
      `${term}.matchExpressions[0].key=pool`,
      `${term}.matchExpressions[0].operator=Exists`,
      'api.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey=kubernetes.io/hostname',
    ]);
    const { nodeSelector, tolerations, affinity } = pods.api!;
    expect([nodeSelector, tolerations, Object.keys(affinity!)]).toEqual([
      { 'kubernetes.io/arch': 'amd64' },
      [{ key: 'dedicated', operator: 'Exists' }],
      ['nodeAffinity', 'podAntiAffinity'],
    ]);
    expect(pods.migrate).toMatchObject({ nodeSelector, tolerations });
    // Beside which pods the API runs says nothing of a Job: its pod could find no node where each has an API.
    expect(pods.migrate!.affinity).toEqual({ nodeAffinity: affinity!.nodeAffinity });
  });
});
