import { Controller, Get } from '@nestjs/common';
import { readSystem, type Runtime } from '@spillway/service';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/system')
export class SystemController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read() {
    const { readiness, versions, model, settings } = await readSystem(this.rt);
    return {
      readiness,
      versions,
      model: model && {
        provider: model.provider,
        name: model.name,
        base_url: model.baseUrl,
        has_key: model.hasKey,
      },
      settings,
    };
  }
}
