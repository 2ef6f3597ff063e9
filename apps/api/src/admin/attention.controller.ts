import { Controller, Get } from '@nestjs/common';
import { readAttention, type CallerRow, type Concern, type Runtime } from '@spillway/service';
import { Caller } from '../auth/caller.js';
import { InjectRuntime } from '../runtime.js';
import { fixedContentView } from '../threads/thread.view.js';
import { modelHealthView } from './model-health.view.js';

/** The console page that shows what a concern is about. */
function pageOf({ kind, reason }: Concern): string {
  const pages: Record<Concern['kind'], string> = {
    compaction_paused: '/jobs?tab=due',
    model_failing: '/jobs?tab=failed',
    context_refused: `/jobs?tab=parked&reason=irreducible`,
    parked: `/jobs?tab=parked&reason=${encodeURIComponent(reason ?? '')}`,
    unknown_model: '/settings/models',
    last_admin_key_expires: '/settings/keys',
    history_not_found: `/threads?q=${encodeURIComponent('history:')}`,
    summary_proposed: '/jobs?tab=proposed',
    chat_budget_spent: '/settings/policy',
    key_budget_spent: '/settings/keys',
    summary_budget_spent: '/settings/policy',
    due_for_long: '/jobs?tab=due',
    backing_off_for_long: '/jobs?tab=backoff',
    near_limit: '/threads?sort=fill',
    outputs_corrupt: '/outputs?state=corrupt',
    outputs_expiring: '/outputs?sort=expiring',
    webhook_disabled: '/settings/webhooks',
    webhook_failing: '/settings/webhooks',
    sweep_refused: '/jobs?tab=sweeps',
    sweep_failed: '/jobs?tab=sweeps',
  };
  return pages[kind];
}

const endsByItself = new Set<Concern['kind']>([
  'backing_off_for_long',
  'near_limit',
  'outputs_expiring',
  'summary_budget_spent',
  'webhook_failing',
]);

@Controller('v1/attention')
export class AttentionController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(@Caller() { projectId, scopes }: CallerRow) {
    const mayListKeys = scopes.includes('admin');
    const { concerns, health } = await readAttention(this.rt, projectId, { mayListKeys });
    const { oldestDueMs, lastAttemptAt, model, storage, ...rest } = health;
    return {
      concerns: concerns.map((concern) => ({
        kind: concern.kind,
        severity: endsByItself.has(concern.kind) ? 'watch' : 'act',
        reason: concern.reason,
        count: concern.count,
        at_least: concern.atLeast ?? false,
        thread_ids: concern.threads,
        detail: concern.detail ? fixedContentView(concern.detail) : null,
        page: pageOf(concern),
      })),
      health: {
        ...rest,
        model: model && modelHealthView(model),
        last_attempt_at: lastAttemptAt?.toISOString() ?? null,
        oldest_due_ms: oldestDueMs,
        storage: { output_bytes: storage.outputBytes, max_bytes: storage.maxBytes },
      },
    };
  }
}
