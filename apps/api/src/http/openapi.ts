import { answerExamples, problem, proxyProblem, routes, type Route } from '@spillway/contracts';
import { version } from '@spillway/service';
import type { z } from 'zod';
import { createDocument } from 'zod-openapi';

type Document = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document, made from the contracts. */
export function openApiDocument(): Document {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [key, route] of Object.entries(routes)) {
    const [method, path] = key.split(' ') as [string, string];
    (paths[path] ??= {})[method.toLowerCase()] = operation(route);
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Spillway',
      version,
      description: "Keeps AI-agent threads inside the model's context window.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ key: [] }],
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        operator: {
          type: 'http',
          scheme: 'basic',
          description: 'The operator password, with any user name.',
        },
      },
    },
    paths,
  });
  for (const [key, { example }] of Object.entries(routes)) {
    const [method, path] = key.split(' ') as [string, string];
    const { parameters = [] } = (document.paths?.[path] as Record<string, ShownOperation>)[
      method.toLowerCase()
    ]!;
    for (const shown of parameters)
      if (shown.in === 'query' && example?.query && Object.hasOwn(example.query, shown.name))
        shown.example = example.query[shown.name];
  }
  return document;
}

interface ShownOperation {
  parameters?: { in: string; name: string; example?: unknown }[];
}

function operation(route: Route) {
  const { params: path, query, headers: header } = route;
  const example = route.example?.body === undefined ? {} : { example: route.example.body };
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    ...securityOf(route),
    requestParams: { ...(path ? { path } : {}), ...(query ? { query } : {}), ...(header ? { header } : {}) },
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: route.body, ...example } },
          },
        }
      : {}),
    ...(route.streamed ? { requestBody: { required: true, content: streamedContent(example) } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [
          status,
          response(answer, Number(status) < 300 ? answerExamples[route.id] : undefined),
        ]),
      ),
      default: errors(route),
    },
  };
}

function securityOf({ scope, alsoScope }: Route) {
  if (scope === 'open') return { security: [] };
  if (scope === 'operator') return { security: [{ operator: [] }] };
  return { 'x-scope': scope, ...(alsoScope ? { 'x-also-scope': alsoScope } : {}) };
}

function errors({ proxy, foreignErrors }: Route) {
  if (proxy === 'google')
    return {
      description: 'An error in the form of Google.',
      content: { 'application/json': { schema: foreignErrors } },
    };
  const ours = { 'application/problem+json': { schema: proxy ? proxyProblem : problem } };
  if (!foreignErrors) return { description: 'A problem document.', content: ours };
  return {
    description: 'A problem document, or as JSON an error of the provider or the protocol.',
    content: { ...ours, 'application/json': { schema: foreignErrors } },
  };
}

const anyText = { schema: { type: 'string', format: 'binary' } } as const;
const streamedContent = (example: object) => ({
  'application/octet-stream': { ...anyText, ...example },
  'text/plain': { ...anyText, ...example },
  'application/json': { ...anyText, ...example },
});

function response(answer: Route['answers'][number], recorded: unknown) {
  if (answer === null || answer === undefined) return { description: 'No content.' };
  // By name: what generates the client's types would write an example without one into them.
  const examples = recorded === undefined ? {} : { examples: { recorded: { value: recorded } } };
  if (isSchema(answer))
    return { description: 'OK.', content: { 'application/json': { schema: answer, ...examples } } };
  const text = { schema: { type: 'string' } };
  const content = [answer]
    .flat()
    .map((type) => (isSchema(type) ? ['application/json', { schema: type, ...examples }] : [type, text]));
  return { description: 'Content.', content: Object.fromEntries(content) as object };
}

const isSchema = (answer: unknown): answer is z.ZodType => '_zod' in Object(answer);
