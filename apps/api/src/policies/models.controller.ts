import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { modelName, modelOverride, wholeList } from '@spillway/contracts';
import {
  getModel,
  listModels,
  overrideModel,
  removeOverride,
  type KnownModel,
  type ListQuery,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

/** `id` and `object` as OpenAI's and Anthropic's clients read a list of models. */
const modelView = (model: KnownModel) => ({
  id: model.name,
  object: 'model' as const,
  name: model.name,
  context_window: model.contextWindow,
  source: model.source,
  input_price: model.price.input,
  output_price: model.price.output,
  cached_input_price: model.price.cachedInput,
});

@Controller('v1/models')
export class ModelsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@ProjectId() projectId: string, @Query(valid(wholeList)) query: ListQuery) {
    return listView(await listModels(this.rt, projectId, query), modelView);
  }

  @Get(':name')
  async get(@ProjectId() projectId: string, @Param('name', valid(modelName)) name: string) {
    return modelView(await getModel(this.rt, projectId, name));
  }

  @Put(':name')
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
    const override = { contextWindow: body.context_window ?? null, price };
    return modelView(await overrideModel(this.rt, projectId, name, override));
  }

  @Delete(':name')
  @HttpCode(204)
  async remove(@ProjectId() projectId: string, @Param('name', valid(modelName)) name: string): Promise<void> {
    await removeOverride(this.rt, projectId, name);
  }
}
