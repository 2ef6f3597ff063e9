import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Runtime } from '@spillway/service';
import { HealthController, RUNTIME } from './health.controller.js';
import { MetricsController, OPERATOR_PASSWORD } from './metrics.controller.js';
import { ProblemFilter } from './problem.filter.js';

@Module({})
export class WorkerModule {
  /** Without an operator's password nothing but its health is served. */
  static with(rt: Runtime, operatorPassword: string | null): DynamicModule {
    const hasMetrics = operatorPassword !== null;
    return {
      module: WorkerModule,
      controllers: [HealthController, ...(hasMetrics ? [MetricsController] : [])],
      providers: [
        { provide: RUNTIME, useValue: rt },
        { provide: OPERATOR_PASSWORD, useValue: operatorPassword },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}
