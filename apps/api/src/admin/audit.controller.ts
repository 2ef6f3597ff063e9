import { Controller, Get, Query } from '@nestjs/common';
import { auditQuery } from '@spillway/contracts';
import { listAudit, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/audit')
export class AuditController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@ProjectId() projectId: string, @Query(valid(auditQuery)) query: z.infer<typeof auditQuery>) {
    const page = await listAudit(this.rt, projectId, query);
    return {
      data: page.data.map((row) => ({
        id: String(row.id),
        at: row.at.toISOString(),
        actor: row.actor,
        action: row.action,
        target: row.target,
        detail: row.detail === null ? null : (JSON.parse(row.detail) as Record<string, unknown>),
      })),
      next_cursor: page.nextCursor,
    };
  }
}
