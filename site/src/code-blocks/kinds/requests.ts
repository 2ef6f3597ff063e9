import { routes, type Route } from '@spillway/contracts';
import type { z } from 'zod';

/** A request as a page shows it: with values, or with placeholders for them. */
export interface ShownRequest {
  method: string;
  /** From the slash on, with a query. */
  target: string;
  /** JSON, if it is shown. */
  body?: string;
}

/** Routes of the service that are no operations of its API. */
const pages = new Set([
  'GET /docs',
  'GET /metrics',
  'GET /queues',
  'GET /openapi.json',
  'GET /mcp',
  'DELETE /mcp',
]);

/** A value that a reader replaces: `{id}`, `$ID`, `<id>`, `…`. */
const isPlaceholder = (value: string): boolean => /^$|[{}$<>…]|\.\.\./.test(value);

/** Reports a request that the API does not take: its route, the names and values of its query, and its body. */
export function requestComplaints({ method, target, body }: ShownRequest): string[] {
  const [path = '', query] = target.split('?');
  const route = routeOf(method, path);
  if (route === undefined) return pages.has(`${method} ${path}`) ? [] : [`no route ${method} ${path}`];
  return [
    ...queryComplaints(route, query ?? '').map((text) => `${method} ${path}: ${text}`),
    ...bodyComplaints(route, body).map((text) => `${method} ${path}: ${text}`),
  ];
}

/** Whether a segment of a path is one of a route, whose parameters are in braces. */
const fits = (segment: string, given: string): boolean =>
  segment === given || new RegExp(`^${segment.replace(/\{\w+\}/g, '.+')}$`).test(given);

/** Finds the route of a path. A fixed part of a route comes before a parameter. */
function routeOf(method: string, path: string): Route | undefined {
  const given = path.split('/');
  const found = Object.keys(routes)
    .filter((name) => {
      const [own, template = ''] = name.split(' ');
      const parts = template.split('/');
      return (
        own === method && parts.length === given.length && parts.every((part, i) => fits(part, given[i]!))
      );
    })
    .toSorted((a, b) => a.split('{').length - b.split('{').length);
  return found[0] === undefined ? undefined : routes[found[0]];
}

function queryComplaints(route: Route, query: string): string[] {
  const shape: Readonly<Record<string, z.ZodType>> = route.query?.shape ?? {};
  return query
    .split('&')
    .filter((part) => part !== '' && part !== '…')
    .flatMap((part) => {
      const [name = '', raw = ''] = part.split(/=(.*)/s);
      if (!Object.hasOwn(shape, name)) return [`no parameter "${name}"`];
      const value = decoded(raw);
      // Several choices for a reader, as in format=openai|anthropic.
      const choices = value.split('|').filter((choice) => !isPlaceholder(choice));
      return choices
        .filter((choice) => !shape[name]!.safeParse(choice).success)
        .map((choice) => `"${choice}" is no value of "${name}"`);
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bodyComplaints(route: Route, body: string | undefined): string[] {
  if (body === undefined) return [];
  if (route.streamed) return [];
  if (!route.body) return ['takes no body'];
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return [`the body is no JSON: ${(error as Error).message}`];
  }
  const { success, error } = route.body.safeParse(value);
  return success
    ? []
    : error.issues.map(({ path, message }) => `the body at /${path.map(String).join('/')}: ${message}`);
}
