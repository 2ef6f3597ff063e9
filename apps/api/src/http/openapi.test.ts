import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.js';

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  description?: string;
  parameters?: { name: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The providers document the fields of their messages; the schema itself says where. */
const ofProviders = new Set(['OpenAIMessage', 'ResponsesItem', 'AnthropicMessage', 'AiSdkMessage']);

/** Requests whose text is a provider's or a protocol's: bounded by the largest body. */
const ofOthers = new Set([...ofProviders, 'McpMessage', 'ResponseRequest', 'GeminiRequest']);

/** Differences: negative when a context is larger than the history that it replaces, or a summary costs more. */
const maybeNegative = new Set([
  ...['tokens_saved', 'tokens_not_sent', 'unpriced_tokens', 'reclaimed_share'],
  ...['saved_usd', 'saved_if_cached_usd', 'net_usd', 'net_if_cached_usd'],
]);

const made = openApiDocument() as unknown as Document;

/** The places of a document that lack a description, an example of a body or an answer, or the minimum of a number. */
function gapsOf({ paths, components }: Document): string[] {
  // Components that properties and lists refer to without words of their own.
  const refs = JSON.stringify(components.schemas).matchAll(/:\{"\$ref":"#\/components\/schemas\/(\w+)"\}/g);
  const named = new Set([...refs].map(([, name]) => name));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [
    ...operations.flatMap((operation) => gapsOfOperation(operation)),
    ...Object.entries(components.schemas).flatMap(([name, schema]) =>
      ofProviders.has(name)
        ? described(schema, name)
        : [...gapsOfSchema(schema, name), ...(named.has(name) ? described(schema, name) : [])],
    ),
  ];

  function gapsOfOperation(of: Operation): string[] {
    const { operationId: id, parameters = [], requestBody, responses } = of;
    const bodies = Object.values(requestBody?.content ?? {});
    const answers = Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}));
    const successes = Object.entries(responses).filter(([status]) => /^2/.test(status));
    const documents = successes.flatMap(([, { content }]) => content?.['application/json'] ?? []);
    return [
      ...described(of, id),
      ...parameters.flatMap((parameter) => [
        ...described(parameter, `${id} ?${parameter.name}`),
        ...gapsOfSchema(parameter.schema, `${id} ?${parameter.name}`),
        ...endless(parameter.schema, `${id} ?${parameter.name}`),
      ]),
      ...bodies.flatMap((body) => [
        ...(body.example === undefined ? [`${id} body: no example`] : []),
        ...gapsOfSchema(body.schema, `${id} body`),
        ...endless(body.schema, `${id} body`),
      ]),
      ...answers.flatMap((answer) => gapsOfSchema(answer.schema, `${id} answer`)),
      ...documents.flatMap(({ schema, examples }) =>
        examples === undefined && schema.type !== 'string' ? [`${id} answer: no example`] : [],
      ),
    ];
  }
}

/** The strings of a request that have no maximum length, nor a form that bounds them. */
function endless(schema: Schema, at: string): string[] {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined && !ofOthers.has(name))
    return endless(made.components.schemas[name]!, `${at} ${name}`);
  const { type, enum: values, maxLength, pattern, format, properties = {}, items } = schema;
  const isBounded = values ?? maxLength ?? pattern ?? format ?? schema.const;
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...(type === 'string' && isBounded === undefined ? [`${at}: no maximum length`] : []),
    ...Object.entries(properties).flatMap(([field, of]) => endless(of, `${at}.${field}`)),
    ...[...parts, ...(items ? [items] : [])].flatMap((part) => endless(part, at)),
  ];
}

const described = ({ description }: { description?: string }, at: string): string[] =>
  description ? [] : [`${at}: no description`];

function gapsOfSchema(schema: Schema, at: string): string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const values = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
  return [
    ...(isUnbounded(schema, at) ? [`${at}: no minimum`] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...(property.$ref ? [] : described(property, `${at}.${name}`)),
      ...gapsOfSchema(property, `${at}.${name}`),
    ]),
    ...[...parts, ...values, ...(schema.items ? [schema.items] : [])].flatMap((part) =>
      gapsOfSchema(part, at),
    ),
  ];
}

/** An integer without bounds of ours has those of JavaScript. A map of values of several types has none. */
function isUnbounded({ type, enum: values, minimum, exclusiveMinimum }: Schema, at: string): boolean {
  const types = [type].flat();
  const isNumber = types.includes('integer') || types.includes('number');
  if (!isNumber || types.includes('string') || values || maybeNegative.has(at.split('.').at(-1)!))
    return false;
  return (minimum ?? exclusiveMinimum ?? Number.MIN_SAFE_INTEGER) <= Number.MIN_SAFE_INTEGER;
}

test('every operation, parameter and property is described, every body and answer has an example, every number a minimum, every string a maximum', () => {
  expect(gapsOf(made)).toEqual([]);
});

test.each<[string, (of: Document) => void]>([
  [
    'listThreads ?q: no maximum length',
    ({ paths }) => {
      const { parameters } = paths['/v1/threads']!['get']!;
      delete parameters!.find((p) => p.name === 'q')!.schema.maxLength;
    },
  ],
  ['getThread: no description', ({ paths }) => delete paths['/v1/threads/{id}']!['get']!.description],
  [
    'listThreads ?limit: no description',
    ({ paths }) =>
      delete paths['/v1/threads']!['get']!.parameters!.find((p) => p.name === 'limit')!.description,
  ],
  [
    'createThread body: no example',
    ({ paths }) => delete paths['/v1/threads']!['post']!.requestBody!.content['application/json']!.example,
  ],
  [
    'getThread answer: no example',
    ({ paths }) =>
      delete paths['/v1/threads/{id}']!['get']!.responses['200']!.content!['application/json']!.examples,
  ],
  [
    'Context.fingerprint: no description',
    ({ components }) => delete components.schemas['Context']!.properties!['fingerprint']!.description,
  ],
  [
    'Thread.live_tokens: no minimum',
    ({ components }) => delete components.schemas['Thread']!.properties!['live_tokens']!.minimum,
  ],
  [
    'OpenAIMessage: no description',
    ({ components }) => delete components.schemas['OpenAIMessage']!.description,
  ],
])('what is missing is named: %s', (gap, remove) => {
  const document = structuredClone(made);
  remove(document);
  expect(gapsOf(document)).toEqual([gap]);
});
