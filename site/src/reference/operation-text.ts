import type { Media, OpenApi, Operation, Parameter, Schema } from './document.js';
import { cell, fieldTable, meaningOf, typeText } from './schema-text.js';

/** An operation with its route. */
export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

/** The anchor of an operation. A prefix keeps it apart from the page's title. */
export const operationAnchor = ({ operationId }: Operation): string => `call-${operationId}`;

/** A section of the reference: what the operation does, what it takes, how it is called, and what it answers. */
export function endpointText({ method, path, operation }: Endpoint, document: OpenApi): string {
  const { parameters = [], requestBody, responses } = operation;
  const body = requestBody && Object.entries(requestBody.content);
  return [
    `## \`${method.toUpperCase()} ${path}\` {#${operationAnchor(operation)}}`,
    `${sentence(cell(operation.summary))}\n\n${cell(operation.description ?? '')}`.trim(),
    scopeText(operation),
    parameterTable(parameters),
    ...(body ?? []).map(([media, { schema }]) => bodyText(media, schema, document)),
    `**Example**\n\n\`\`\`sh\n${curl(method, path, operation)}\n\`\`\``,
    `**Answers**\n\n${answerTable(responses)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function scopeText(operation: Operation): string {
  if (operation.security?.length === 0) return 'No key is needed.';
  if (operation.security !== undefined) return 'It takes the operator password by HTTP Basic, and no key.';
  const scopes = [operation['x-scope'], operation['x-also-scope']].filter((scope) => scope !== undefined);
  if (scopes.length === 0) return '';
  return scopes[0] === 'any'
    ? 'Any valid key may call it.'
    : `Scope of the key: ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `| \`${name}\`${required ? ' (required)' : ''} | ${place} | ${typeText(schema)} | ` +
      `${meaningOf({ ...schema, description: description ?? schema.description })} |`,
  );
  return ['**Parameters**', '', '| name | in | type | meaning |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function bodyText(media: string, schema: Schema | undefined, document: OpenApi): string {
  const named = schema?.$ref && document.components.schemas[schema.$ref.split('/').at(-1)!];
  const table = schema ? fieldTable(named || schema) : '';
  const type = schema ? `: ${typeText(schema)}` : '';
  return [`**Body**, \`${media}\`${type}`, table].filter((part) => part !== '').join('\n\n');
}

/** A call that can be pasted into a shell: the example of the route, and the examples of its parameters. */
export function curl(method: string, path: string, operation: Operation): string {
  const query = (operation.parameters ?? [])
    .filter(({ in: place, example }) => place === 'query' && example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const address = `"$SPILLWAY_URL${path}${query.length === 0 ? '' : `?${query.join('&')}`}"`;
  const [media, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${address}`,
    ...(operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $SPILLWAY_KEY"']),
    ...(media === undefined ? [] : [`-H 'Content-Type: ${media === '*/*' ? 'text/plain' : media}'`]),
    ...bodyOption(body),
  ];
  return lines.join(' \\\n  ');
}

function bodyOption(media: Media | undefined): string[] {
  if (media?.example === undefined) return [];
  const text = typeof media.example === 'string' ? media.example : JSON.stringify(media.example);
  return [`-d '${text.replaceAll("'", "'\\''")}'`];
}

function answerTable(responses: Operation['responses']): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const types = Object.entries(content).map(
      ([media, { schema }]) => `\`${media}\`${schema ? `: ${typeText(schema)}` : ''}`,
    );
    const name = status === 'default' ? 'any error' : status;
    const meaning = status === 'default' ? `${description} [Errors](/operations/errors) lists them.` : '';
    return `| ${name} | ${types.join('<br>') || 'no body'} | ${meaning} |`;
  });
  return ['| status | body | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
