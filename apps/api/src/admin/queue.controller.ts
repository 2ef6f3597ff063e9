import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { queueQuery, queueRetry } from '@spillway/contracts';
import { readQueue, retryThreads, type Runtime, type ThreadRow } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { compactionView } from '../threads/thread.view.js';

const dueThreadView = (row: ThreadRow) => ({
  thread_id: row.id,
  live_tokens: row.liveTokens,
  trigger_tokens: row.triggerTokens,
  requested_at: row.requestedAt?.toISOString() ?? null,
  waited_ms: row.waitedMs === null ? null : Math.max(0, Math.round(row.waitedMs)),
  trigger: row.request === null ? 'automatic' : (JSON.parse(row.request) as { kind: string }).kind,
  compaction: compactionView(row),
  last_error: row.lastError,
});

@Controller('v1/queue')
export class QueueController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(@ProjectId() projectId: string, @Query(valid(queueQuery)) query: z.infer<typeof queueQuery>) {
    const { counts, parked, threads, sweeps, pausedAt } = await readQueue(this.rt, { projectId, ...query });
    const { oldest, ...byState } = counts;
    return {
      counts: byState,
      oldest_due_ms: oldest,
      paused_at: pausedAt?.toISOString() ?? null,
      parked_by_reason: parked,
      threads: threads.map(dueThreadView),
      sweeps: sweeps.map((sweep) => ({
        started_at: sweep.startedAt.toISOString(),
        duration_ms: sweep.durationMs,
        expired: sweep.expired,
        over_budget: sweep.overBudget,
        deleted: sweep.deleted,
        bytes_freed: Number(sweep.bytesFreed),
        orphans: sweep.orphans,
        refused: sweep.refused,
        failed: sweep.failed,
        error: sweep.error,
      })),
    };
  }

  @Post('retry')
  @HttpCode(200)
  retry(@ProjectId() projectId: string, @Body(valid(queueRetry)) filter: z.infer<typeof queueRetry>) {
    return retryThreads(this.rt, projectId, filter);
  }
}
