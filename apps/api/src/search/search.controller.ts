import { Controller, Get, Param, Query } from '@nestjs/common';
import { clientId, searchQuery } from '@spillway/contracts';
import { searchThread, type CallerRow, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { Caller, mayRead } from '../auth/caller.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/threads/:id/search')
export class SearchController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async search(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(searchQuery)) { q, limit = 20, cursor }: z.infer<typeof searchQuery>,
  ) {
    const { hits, nextCursor, truncated } = await searchThread(this.rt, {
      projectId: caller.projectId,
      threadId,
      q,
      limit,
      cursor,
      withOutputs: mayRead(caller, 'outputs:read'),
    });
    const data = hits.map(({ seq, role, snippet, coveredBy, output }) => ({
      seq,
      role,
      snippet,
      covered_by: coveredBy,
      output,
    }));
    return { data, next_cursor: nextCursor, truncated };
  }
}
