import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { routes, type Route } from '@spillway/contracts';
import type { CallerRow } from '@spillway/service';
import type { FastifyRequest } from 'fastify';

export type CalledRequest = FastifyRequest & { caller?: CallerRow };

/** Whoever the request's key or session belongs to; the guard has put it there. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): CallerRow =>
    context.switchToHttp().getRequest<CalledRequest & { caller: CallerRow }>().caller,
);

/** The contract's word on the route that a request came in by: what is not in the contract has none. */
export function routeOf(request: FastifyRequest): Route | undefined {
  const { method, url } = request.routeOptions;
  const path = url?.replace(/:(\w+)/g, '{$1}');
  return routes[`${request.method === 'HEAD' ? 'GET' : [method].flat()[0]} ${path}`];
}
