import { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { auditExportQuery, auditQuery } from '@spillway/contracts';
import { exportAudit, listAudit, type AuditEntry, type Runtime } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

const entryView = (row: AuditEntry) => ({
  id: String(row.id),
  at: row.at.toISOString(),
  actor: row.actor,
  actor_name: row.actorName,
  action: row.action,
  target: row.target,
  thread_id: row.threadId,
  detail: row.detail === null ? null : (JSON.parse(row.detail) as Record<string, unknown>),
});

const filterOf = ({ from, to, ...rest }: z.infer<typeof auditExportQuery>) => ({
  ...rest,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

@Controller('v1/audit')
export class AuditController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@ProjectId() projectId: string, @Query(valid(auditQuery)) query: z.infer<typeof auditQuery>) {
    const { limit, cursor, ...filter } = query;
    const page = await listAudit(this.rt, projectId, { ...filterOf(filter), limit, cursor });
    return listView(page, entryView);
  }

  @Get('export')
  export(
    @ProjectId() projectId: string,
    @Query(valid(auditExportQuery)) query: z.infer<typeof auditExportQuery>,
    @Res() reply: FastifyReply,
  ) {
    const lines = linesOf(exportAudit(this.rt, projectId, filterOf(query)));
    return reply
      .headers({
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="audit.jsonl"',
      })
      .send(Readable.from(lines));
  }
}

async function* linesOf(pages: AsyncGenerator<AuditEntry[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(entryView(row))}\n`).join('');
}
