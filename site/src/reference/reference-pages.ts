import type { Page } from '../pages/page.js';
import { methods, type OpenApi } from './document.js';
import { endpointText, operationAnchor, type Endpoint } from './operation-text.js';
import { anchorOf, cell, fieldTable, schemasPage, typeText } from './schema-text.js';

/** Titles of resources whose name in a route is no title. */
const titles: Record<string, string> = {
  'chat/completions': 'Proxies',
  'v1beta/models': 'Proxies',
  responses: 'Proxies',
  messages: 'Proxies',
  mcp: 'MCP',
  healthz: 'Health',
  readyz: 'Health',
  tokens: 'Thread tokens',
  'thread-counts': 'Threads',
  map: 'Threads',
  export: 'Threads',
  rewind: 'Messages',
  retry: 'Compactions',
  rebuild: 'Summaries',
  chat: 'Chat',
  context: 'Context',
};

/**
 * Returns the resource that a route belongs to: what stands below a thread, or what follows the version. A resource
 * that no table names gets a page by itself.
 */
export function resourceOf(path: string): string {
  const [, ofThread] = /^\/v1\/threads\/\{id\}\/([^/]+)/.exec(path) ?? [];
  if (ofThread !== undefined) return ofThread === 'messages' ? 'Messages' : titleFor(ofThread);
  return titleFor(path.replace(/^\/(v1\/)?/, '').replace(/\/\{.*$/, ''));
}

function titleFor(name: string): string {
  const first = /^(chat|v1beta)\//.test(name) ? name : name.split('/')[0]!;
  return titles[first] ?? `${first[0]!.toUpperCase()}${first.slice(1).replaceAll('-', ' ')}`;
}

/** One page for each resource of the API, a page with the schemas that have a name, and an overview of all routes. */
export function referencePages(document: OpenApi): Page[] {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    methods
      .filter((method) => operations[method] !== undefined)
      .map((method): Endpoint => ({ method, path, operation: operations[method]! })),
  );
  const resources = [...Map.groupBy(endpoints, ({ path }) => resourceOf(path))];
  return [
    overview(resources),
    ...resources.map(([title, own]) => ({
      path: pathOf(title),
      title,
      source: null,
      text: [`# ${title}`, contents(own), ...own.map((endpoint) => endpointText(endpoint, document))].join(
        '\n\n',
      ),
    })),
    schemas(document),
  ];
}

const pathOf = (title: string): string => `/api/${title.toLowerCase().replaceAll(' ', '-')}`;

const row = (page: string, { method, path, operation }: Endpoint): string =>
  `| [\`${method.toUpperCase()} ${path}\`](${page}#${operationAnchor(operation)}) | ${cell(operation.summary)} |`;

const contents = (endpoints: readonly Endpoint[]): string =>
  ['| route | what it does |', '| --- | --- |', ...endpoints.map((endpoint) => row('', endpoint))].join('\n');

function overview(resources: readonly [string, Endpoint[]][]): Page {
  const text = [
    '# API reference',
    'Each route, from the [OpenAPI document](/openapi.json) that the service also serves at `/openapi.json`. ' +
      'Requests carry a key or a thread token: `Authorization: Bearer $SPILLWAY_KEY`. Bodies are JSON unless a ' +
      'route says otherwise. An error is a problem document, and [Errors](/operations/errors) says what to do.',
    ...resources.map(([title, own]) =>
      [
        `## ${title}`,
        ['| route | what it does |', '| --- | --- |', ...own.map((one) => row(pathOf(title), one))].join(
          '\n',
        ),
      ].join('\n\n'),
    ),
  ].join('\n\n');
  return { path: '/api/', title: 'All routes', source: null, text };
}

function schemas(document: OpenApi): Page {
  const parts = Object.entries(document.components.schemas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) =>
      [
        `## ${name} {#${anchorOf(name)}}`,
        cell(schema.description ?? ''),
        fieldTable(schema) || sentence(typeText(schema)),
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
    );
  return {
    path: schemasPage,
    title: 'Schemas',
    source: null,
    text: ['# Schemas', 'Bodies and their parts that have a name.', ...parts].join('\n\n'),
  };
}

const sentence = (type: string): string => `A value of this type: ${type}.`;
