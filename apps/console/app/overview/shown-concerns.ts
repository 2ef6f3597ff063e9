import type { Schemas } from '@spillway/client';

const noWorker: Schemas['Concern'] = {
  kind: 'no_worker',
  severity: 'act',
  reason: null,
  count: 1,
  at_least: false,
  thread_ids: [],
  detail: null,
  page: '/jobs?tab=due',
};

/** The concerns of the service, and that no worker is connected, which threads show only once they are due for long. */
export function shownConcerns({
  concerns,
  health,
}: Pick<Schemas['Attention'], 'concerns' | 'health'>): Schemas['Concern'][] {
  const isSaid = concerns.some(({ kind }) => kind === 'due_for_long');
  return health.workers === 0 && !isSaid ? [noWorker, ...concerns] : concerns;
}
