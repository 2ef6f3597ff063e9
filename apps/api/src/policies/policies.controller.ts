import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { modelName, modelOverride, policyInput } from '@spillway/contracts';
import {
  changePolicy,
  getPolicy,
  listModels,
  overrideModel,
  type KnownModel,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

const modelView = (model: KnownModel) => ({
  name: model.name,
  context_window: model.contextWindow,
  source: model.source,
  input_price: model.price.input,
  output_price: model.price.output,
  cached_input_price: model.price.cachedInput,
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
    const price = {
      input: body.input_price ?? null,
      output: body.output_price ?? null,
      cachedInput: body.cached_input_price ?? null,
    };
    const said = { contextWindow: body.context_window ?? null, price };
    return modelView(await overrideModel(this.rt, projectId, name, said));
  }
}
