import { expect, test } from 'vitest';
import type { OpenApi } from './document.js';
import { referencePages, resourceOf } from './reference-pages.js';

const document: OpenApi = {
  paths: {
    '/v1/threads/{id}/messages': {
      post: {
        operationId: 'appendMessages',
        summary: 'Record messages',
        'x-scope': 'messages:write',
        parameters: [
          {
            in: 'query',
            name: 'wait',
            schema: { type: 'integer', maximum: 10000 },
            description: 'a|b',
            example: 5,
          },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Append' },
              example: { text: "it's" },
            },
          },
        },
        responses: { 200: { description: 'OK.' }, default: { description: 'A problem document.' } },
      },
    },
  },
  components: {
    schemas: {
      Append: {
        type: 'object',
        properties: {
          text: { type: 'string', description: 'What is <said>.' },
          parts: { type: 'array', items: { type: 'object', properties: { n: { const: 1 } } } },
        },
        required: ['text'],
      },
    },
  },
};
const text = (path: string) => referencePages(document).find((page) => page.path === path)?.text ?? '';

test('a resource has a page with each route: parameters, body, answers and scope', () => {
  const page = text('/api/messages');
  expect(page).toContain('## `POST /v1/threads/{id}/messages` {#call-appendMessages}');
  expect(page).toContain('Scope of the key: `messages:write`.');
  expect(page).toContain('| `wait` | query | integer | a\\|b<br>max `10000` |');
  expect(page).toContain('| `text` (required) | string | What is &lt;said>. |');
  expect(page).toContain('| `parts[].n` | `1` |  |');
  expect(page).toContain(
    '| any error | no body | A problem document. [Errors](/operations/errors) lists them. |',
  );
});

test('the example can be pasted into a shell', () => {
  expect(text('/api/messages')).toContain(
    [
      'curl -X POST "$SPILLWAY_URL/v1/threads/{id}/messages?wait=5" \\',
      '  -H "Authorization: Bearer $SPILLWAY_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"text":"it'\\''s"}'`,
    ].join('\n'),
  );
});

test('every route is in the overview, and every named schema has its place', () => {
  expect(text('/api/')).toContain('(/api/messages#call-appendMessages)');
  expect(text('/api/schemas')).toContain('## Append {#schema-append}');
});

test.each([
  ['/v1/threads', 'Threads'],
  ['/v1/threads/{id}', 'Threads'],
  ['/v1/threads/{id}/messages/{seq}', 'Messages'],
  ['/v1/messages', 'Proxies'],
  ['/v1/chat/completions', 'Proxies'],
  ['/v1beta/models/{model}:generateContent', 'Proxies'],
  ['/v1/sessions/current/proof', 'Sessions'],
  ['/v1/something-new/{id}', 'Something new'],
])('%s belongs to %s', (path, resource) => {
  expect(resourceOf(path)).toBe(resource);
});
