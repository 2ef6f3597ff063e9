import { Controller, Get } from '@nestjs/common';
import { readQueue, type Runtime } from '@spillway/service';
import { ProjectId } from '../auth/project.js';
import { InjectRuntime } from '../runtime.js';
import { compactionView } from '../threads/thread.view.js';

@Controller('v1/queue')
export class QueueController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(@ProjectId() projectId: string) {
    const { counts, threads, sweeps } = await readQueue(this.rt, projectId);
    const { oldest, ...byState } = counts;
    return {
      counts: byState,
      oldest_due_ms: oldest,
      threads: threads.map((row) => ({
        thread_id: row.id,
        live_tokens: row.liveTokens,
        trigger_tokens: row.triggerTokens,
        requested_at: row.requestedAt?.toISOString() ?? null,
        compaction: compactionView(row),
        last_error: row.lastError,
      })),
      sweeps: sweeps.map((sweep) => ({
        started_at: sweep.startedAt.toISOString(),
        duration_ms: sweep.durationMs,
        expired: sweep.expired,
        over_budget: sweep.overBudget,
        deleted: sweep.deleted,
        bytes_freed: Number(sweep.bytesFreed),
        orphans: sweep.orphans,
        refused: sweep.refused,
      })),
    };
  }
}
