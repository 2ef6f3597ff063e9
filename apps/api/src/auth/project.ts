import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

export interface Caller {
  projectId: string;
}

/** Id of the project that the request's key belongs to. */
export const ProjectId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<Caller>().projectId,
);
