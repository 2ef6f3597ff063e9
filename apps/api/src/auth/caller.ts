import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { routes, type Route } from '@spillway/contracts';
import type { CallerRow } from '@spillway/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type CalledRequest = FastifyRequest & {
  caller?: CallerRow;
  /** Admission saw the operator's password. */
  isOperator?: boolean;
  /** Its contract, once somebody asked; null for none. */
  route?: NamedRoute | null;
  /** When the request is traced: its trace, if that is sent, and what runs a handler in its span. */
  traceId?: string;
  inSpan?: (handle: () => void) => void;
  /** See whenClosed. */
  closing?: (() => void)[];
};

/** The owner of the request's key or session, set by admission. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): CallerRow =>
    context.switchToHttp().getRequest<CalledRequest & { caller: CallerRow }>().caller,
);

/** Whether a caller may see what a scope protects, beside the scope that let it in. */
export const mayRead = ({ scopes }: CallerRow, scope: 'context:read' | 'outputs:read'): boolean =>
  scopes.includes(scope) || scopes.includes('admin');

/** The contract of a route, with the path as the contract writes it. */
type NamedRoute = Route & { path: string };

/** Gives every request the same fields from the start, so that reading them stays cheap. */
export function installCallers(fastify: FastifyInstance): void {
  for (const field of ['caller', 'isOperator', 'route', 'traceId', 'inSpan', 'closing'])
    fastify.decorateRequest(field, undefined);
}

/** By the route as Fastify writes it. */
const found = new Map<string, NamedRoute | null>();

/** The contract of a request's route. Undefined for unknown routes. */
export function routeOf(request: CalledRequest): NamedRoute | undefined {
  // Kept on the request: each asks several times, and Fastify makes its route options anew each time.
  if (request.route === undefined) request.route = findKnown(request);
  return request.route ?? undefined;
}

function findKnown(request: FastifyRequest): NamedRoute | null {
  const { method, url } = request.routeOptions;
  if (url === undefined) return null;
  const name = `${request.method === 'HEAD' ? 'GET' : [method].flat()[0]} ${url}`;
  let route = found.get(name);
  if (route === undefined) {
    route = findRoute(name, url) ?? null;
    found.set(name, route);
  }
  return route;
}

function findRoute(name: string, url: string): NamedRoute | undefined {
  const route = routes[asContract(name)];
  return route && { ...route, path: asContract(url) };
}

/** A route of Fastify as the contract writes it: parameters, which may have a pattern, in braces, and colons once. */
export const asContract = (route: string): string =>
  route.replace(/::|:(\w+)(?:\([^)]*\))?/g, (_, name?: string) => (name === undefined ? ':' : `{${name}}`));
