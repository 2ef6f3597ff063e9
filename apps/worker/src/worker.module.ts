import { Module, type DynamicModule } from '@nestjs/common';
import type { Runtime } from '@spillway/service';
import { HealthController, RUNTIME } from './health.controller.js';

@Module({})
export class WorkerModule {
  static with(rt: Runtime): DynamicModule {
    return {
      module: WorkerModule,
      controllers: [HealthController],
      providers: [{ provide: RUNTIME, useValue: rt }],
    };
  }
}
