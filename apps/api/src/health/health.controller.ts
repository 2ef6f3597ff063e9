import { Controller, Get, Res } from '@nestjs/common';
import { checkReadiness, type Runtime } from '@spillway/service';
import { InjectRuntime } from '../runtime.js';

@Controller()
export class HealthController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get('healthz')
  health() {
    return { status: 'ok' as const };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: { status(code: number): void }) {
    const readiness = await checkReadiness(this.rt);
    reply.status(readiness.status === 'unavailable' || this.rt.draining.aborted ? 503 : 200);
    return readiness;
  }
}
