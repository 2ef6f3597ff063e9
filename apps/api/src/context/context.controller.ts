import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { clientId, contextQuery } from '@spillway/contracts';
import { readContext, serveContext, type CallerRow, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/threads/:id/context')
export class ContextController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(contextQuery)) query: z.infer<typeof contextQuery>,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true })
    reply: { status(code: number): void; header(name: string, value: string): void },
  ) {
    const { max_tokens: maxTokens, omit, ...rest } = query;
    const { projectId } = caller;
    const asked = { projectId, threadId, ...rest, ...(maxTokens ? { maxTokens } : {}) };
    // A session is a person's, and `at` is the past: neither goes to a model.
    const isServed = caller.sessionId === null && query.at === undefined && !omit;
    const context = isServed ? await serveContext(this.rt, asked) : await readContext(this.rt, asked);
    const etag = omit ? `"${context.fingerprint}-sums"` : `"${context.fingerprint}"`;
    reply.header('etag', etag);
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')) {
      reply.status(304);
      return undefined;
    }
    const { budget, summary } = context;
    return {
      format: context.format,
      messages: omit ? [] : context.messages,
      system: context.system,
      tokens: context.tokens,
      budget: { context_window: budget.contextWindow, limit: budget.limit, trigger: budget.trigger },
      summary: summary && {
        generation: summary.generation,
        from_seq: summary.fromSeq,
        to_seq: summary.toSeq,
        method: summary.method,
      },
      elided: context.elided,
      parts: context.parts,
      dropped: context.dropped,
      degraded: context.degraded,
      reasoning: context.reasoning,
      pending_calls: context.pendingCalls.map(({ seq, callId, name }) => ({ seq, call_id: callId, name })),
      last_seq: context.lastSeq,
      served: context.served && { at: context.served.at.toISOString(), exact: context.served.exact },
      fingerprint: context.fingerprint,
    };
  }
}
