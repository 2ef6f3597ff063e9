import { Controller, Get, Query } from '@nestjs/common';
import { usageQuery } from '@spillway/contracts';
import { readUsage, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { usageView } from './usage.view.js';

@Controller('v1/usage')
export class UsageController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(
    @ProjectId() projectId: string,
    @Query(valid(usageQuery)) { from, to, bucket }: z.infer<typeof usageQuery>,
  ) {
    const range = {
      ...(from ? { from: new Date(from) } : {}),
      ...(to ? { to: new Date(to) } : {}),
      ...(bucket ? { bucket } : {}),
    };
    return usageView(await readUsage(this.rt, { projectId, ...range }));
  }
}
