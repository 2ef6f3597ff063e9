import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { modelName, modelOverride, policyInput } from '@spillway/contracts';
import {
  changePolicy,
  getPolicy,
  listModels,
  overrideModel,
  type ModelWindow,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

const modelView = (model: ModelWindow) => ({
  name: model.name,
  context_window: model.contextWindow,
  source: model.source,
});

@Controller('v1')
export class PoliciesController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get('policy')
  get(@ProjectId() projectId: string) {
    return getPolicy(this.rt, projectId);
  }

  @Put('policy')
  change(@ProjectId() projectId: string, @Body(valid(policyInput)) policy: z.infer<typeof policyInput>) {
    return changePolicy(this.rt, projectId, policy);
  }

  @Get('models')
  async models(@ProjectId() projectId: string) {
    return { data: (await listModels(this.rt, projectId)).map(modelView), next_cursor: null };
  }

  @Put('models/:name')
  async override(
    @ProjectId() projectId: string,
    @Param('name', valid(modelName)) name: string,
    @Body(valid(modelOverride)) body: z.infer<typeof modelOverride>,
  ) {
    return modelView(await overrideModel(this.rt, projectId, name, body.context_window));
  }
}
