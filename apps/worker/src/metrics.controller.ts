import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import {
  operatorCheck,
  operatorRefusal,
  scrapeMetrics,
  SpillwayError,
  type Runtime,
} from '@spillway/service';
import { RUNTIME } from './health.controller.js';

export const OPERATOR_PASSWORD = Symbol('operator password');

interface Reply {
  type(value: string): Reply;
  send(body: string): unknown;
}

/** Serves the metrics of this worker to Prometheus, behind the operator's password as those of the API. */
@Controller()
export class MetricsController {
  private readonly isOperator: (header: string | undefined) => boolean;

  constructor(
    @Inject(RUNTIME) private readonly rt: Runtime,
    @Inject(OPERATOR_PASSWORD) password: string,
  ) {
    this.isOperator = operatorCheck(password);
    rt.metrics.withProcess();
  }

  @Get('metrics')
  async metrics(@Headers('authorization') authorization: string | undefined, @Res() reply: Reply) {
    if (!this.isOperator(authorization)) throw new SpillwayError('unauthorized', operatorRefusal);
    return reply.type(this.rt.metrics.contentType).send(await scrapeMetrics(this.rt));
  }
}
