import { Controller, Get } from '@nestjs/common';
import { readSystem, type Runtime } from '@spillway/service';
import { ProjectId } from '../auth/project.js';
import { modelHealthView } from './model-health.view.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/system')
export class SystemController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read(@ProjectId() projectId: string) {
    const { readiness, versions, model, settings } = await readSystem(this.rt, projectId);
    return {
      readiness,
      versions,
      model: model && {
        provider: model.provider,
        name: model.name,
        base_url: model.baseUrl,
        has_key: model.hasKey,
        health: modelHealthView(model.health),
      },
      settings,
    };
  }
}
