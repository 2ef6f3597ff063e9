import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallerRow } from '@spillway/service';

/** Id of the project that the request's key belongs to. */
export const ProjectId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<{ caller: CallerRow }>().caller.projectId,
);
