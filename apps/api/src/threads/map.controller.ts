import { Controller, Get, Param, Query } from '@nestjs/common';
import { clientId, mapQuery } from '@spillway/contracts';
import { mapThread, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { generationView } from '../summaries/summary.view.js';

@Controller('v1/threads/:id/map')
export class MapController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async map(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(mapQuery)) { buckets: maxBuckets = 200 }: z.infer<typeof mapQuery>,
  ) {
    const { thread, buckets, generations } = await mapThread(this.rt, projectId, threadId, maxBuckets);
    return {
      last_seq: thread.headSeq,
      buckets: buckets.map((bucket) => ({
        from_seq: bucket.fromSeq,
        to_seq: bucket.toSeq,
        tokens: bucket.tokens,
        largest: { seq: bucket.largestSeq, tokens: bucket.largestTokens },
      })),
      generations: generations.map((row) => generationView(row, thread)),
    };
  }
}
