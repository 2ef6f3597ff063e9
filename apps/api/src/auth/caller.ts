import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { routes, type Route } from '@spillway/contracts';
import type { CallerRow } from '@spillway/service';
import type { FastifyRequest } from 'fastify';

export type CalledRequest = FastifyRequest & {
  caller?: CallerRow;
  /** When the request is traced: its trace, if that is sent, and what runs a handler in its span. */
  traceId?: string;
  inSpan?: (handle: () => void) => void;
};

/** The owner of the request's key or session, set by admission. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): CallerRow =>
    context.switchToHttp().getRequest<CalledRequest & { caller: CallerRow }>().caller,
);

/** Whether a caller may see what a scope protects, beside the scope that let it in. */
export const mayRead = ({ scopes }: CallerRow, scope: 'context:read' | 'outputs:read'): boolean =>
  scopes.includes(scope) || scopes.includes('admin');

type NamedRoute = Route & { path: string };

/** By the route as Fastify writes it: every request asks five times. */
const found = new Map<string, NamedRoute | undefined>();

/** The contract of a request's route, with the path as the contract writes it. Undefined for unknown routes. */
export function routeOf(request: FastifyRequest): NamedRoute | undefined {
  const { method, url } = request.routeOptions;
  if (url === undefined) return undefined;
  const name = `${request.method === 'HEAD' ? 'GET' : [method].flat()[0]} ${url}`;
  if (!found.has(name)) found.set(name, findRoute(name, url));
  return found.get(name);
}

function findRoute(name: string, url: string): NamedRoute | undefined {
  const written = (text: string): string => text.replace(/:(\w+)/g, '{$1}');
  const route = routes[written(name)];
  return route && { ...route, path: written(url) };
}
