import { describe, expect, test } from 'vitest';
import { blocksOf } from './block.js';
import { blockReport } from './check-code-blocks.js';
import { codeSpanComplaints } from './code-spans.js';
import { httpComplaints } from './kinds/http.js';
import { jsonComplaints } from './kinds/json.js';
import { typeComplaints } from './kinds/types.js';
import { yamlComplaints } from './kinds/yaml.js';
import { shellComplaints } from './shell/shell.js';

const block = (info: string, text: string, page = 'docs/a.md') =>
  blocksOf(page, `# A\n\n## Part\n\n\`\`\`${info}\n${text}\n\`\`\`\n`)[0]!;
const report = (info: string, text: string) => blockReport([block(info, text)], [], []);

describe('a block', () => {
  test('is found with its place, its heading and what stands behind its language', () => {
    expect(block('ts prelude=loop', 'a')).toEqual({
      page: 'docs/a.md',
      line: 5,
      heading: 'Part',
      language: 'ts',
      attributes: { prelude: 'loop' },
      text: 'a',
    });
  });

  test('without a language, or with one that no check knows, is reported', () => {
    expect(report('', 'x').complaints[0]).toContain('docs/a.md:5: no check knows the language ""');
    expect(report('python', 'x').complaints[0]).toContain('no check knows the language "python"');
  });

  test('of text needs a row with a reason, and a row needs its block', () => {
    const row = { page: 'docs/a.md', start: 'draw', why: 'a drawing' };
    expect(report('text', 'drawing').complaints[0]).toContain('has no row with a reason');
    expect(blockReport([block('text', 'drawing')], [], [row])).toEqual({
      counts: { 'not checked, for a listed reason': 1 },
      complaints: [],
    });
    expect(blockReport([], [], [row]).complaints).toEqual([
      'site/src/code-blocks/unchecked.ts: no block of docs/a.md begins with "draw"',
    ]);
  });

  test('that can be checked may not be listed as unchecked', () => {
    const row = { page: 'docs/a.md', start: '{', why: 'a drawing' };
    expect(blockReport([block('json', '{')], [], [row]).complaints).toEqual([
      'docs/a.md:5: is listed as unchecked, but its language is not text',
    ]);
  });

  test('that a quick start runs is counted as run, under its heading alone', () => {
    const lines = block('js', 'no(javascript');
    const counts = (heading: string) => blockReport([lines], [{ page: 'docs/a.md', heading }], []).counts;
    expect(counts('Part')).toEqual({ 'run by npm run quick-starts': 1 });
    expect(counts('Another')).toEqual({ 'type-checked': 1 });
    const blocks = [block('sh', 'npm install nothing-of-this-name'), block('ts', 'const a: string = 1;')];
    const report = blockReport(blocks, [{ page: 'docs/a.md', heading: 'Part' }], []);
    expect(report.counts).toEqual({ 'run by npm run quick-starts': 1, 'type-checked': 1 });
    expect(report.complaints).toEqual([expect.stringContaining("'number' is not assignable")]);
  });
});

describe('JSON, YAML and diagrams', () => {
  test('that parse are right', () => {
    expect(jsonComplaints('{"a": [1]}')).toEqual([]);
    expect(yamlComplaints('policy:\n  context:\n    trigger_ratio: 0.7')).toEqual([]);
    expect(report('mermaid', 'stateDiagram-v2\n a --> b').complaints).toEqual([]);
  });

  test('that do not parse are reported', () => {
    expect(jsonComplaints('{a: 1}')[0]).toContain('is no JSON');
    expect(yamlComplaints('policy: [')[0]).toContain('is no YAML');
    expect(report('mermaid', 'stateDiagram-v2\n a to b').complaints[0]).toContain(
      '"a to b" is no transition',
    );
  });

  test('a policy that the service would refuse is reported with its path', () => {
    expect(yamlComplaints('policy:\n  context:\n    trigger_ratio: 7')[0]).toContain(
      'policy: /context/trigger_ratio',
    );
    expect(yamlComplaints('policy:\n  contxt: {}')[0]).toContain('contxt');
  });

  test('YAML that no check knows is reported', () => {
    expect(yamlComplaints('a: 1')[0]).toContain('YAML of an unknown kind');
  });
});

describe('a request', () => {
  test('that the API takes is right, with placeholders too', () => {
    const text = 'GET /v1/outputs/out_…/content?lines=1-20&numbered=true\n\n1 first line';
    expect(httpComplaints(text)).toEqual([]);
    expect(httpComplaints('PUT /v1/models/gpt-4o {"input_price": 1, "output_price": 2}')).toEqual([]);
  });

  test.each([
    ['GET /v1/thread/a', 'no route GET /v1/thread/a'],
    ['PUT /v1/threads/a/context', 'no route PUT /v1/threads/a/context'],
    ['GET /v1/threads/a/messages?limt=5', 'no parameter "limt"'],
    ['GET /v1/threads/a/messages?limit=many', '"many" is no value of "limit"'],
    ['GET /v1/threads/a/context?format=openai|gemini', '"gemini" is no value of "format"'],
    ['POST /v1/threads/a/rewind {"to": 3}', 'the body at /to_seq'],
    ['POST /v1/threads/a/rewind {to_seq: 3}', 'the body is no JSON'],
    ['GET /v1/threads/a {"x": 1}', 'takes no body'],
    ['an answer without a request', 'has no request'],
    ['GET /v1/threads/a\n\n{"id": }', 'is no JSON'],
  ])('%s is reported', (text, complaint) => {
    expect(httpComplaints(text).join('\n')).toContain(complaint);
  });

  test('in prose is compared with the API as well, and so are scripts', () => {
    expect(codeSpanComplaints('a\n`POST /v1/threads/{id}/rewind` and `npm run check`')).toEqual([]);
    expect(codeSpanComplaints('a\n`POST /v1/threads/{id}/undo` and `npm run chek`')).toEqual([
      { line: 2, message: 'no route POST /v1/threads/{id}/undo' },
      { line: 2, message: 'package.json has no script "chek"' },
    ]);
  });

  test('is checked where it shows the end of a path alone', () => {
    const good =
      '`POST .../approve`, `GET .../summaries/{generation}/facts`, `GET context?wait=`, `POST .../tools/{name}`';
    expect(codeSpanComplaints(good)).toEqual([]);
    const complaints = (span: string) => codeSpanComplaints(span).map(({ message }) => message);
    expect(complaints('`POST .../aprove`')).toEqual(['no route POST that ends in /aprove']);
    expect(complaints('`DELETE context`')).toEqual(['no route DELETE that ends in context']);
    expect(complaints('`GET context?wiat=`')).toEqual(['GET /v1/threads/{id}/context: no parameter "wiat"']);
  });

  test('that names a file or a folder needs it', () => {
    expect(
      codeSpanComplaints('`libs/engine/src`, `docs/agents.md`, `libs/<name>/src/<name>.ts`, `test/cli`'),
    ).toEqual([]);
    expect(codeSpanComplaints('`libs/engine/source/a.ts`')).toEqual([
      { line: 1, message: 'no file or folder libs/engine/source/a.ts' },
    ]);
  });
});

describe('a script', () => {
  test('whose commands exist is right', () => {
    const script = [
      'KEY=...   # a comment',
      'npm ci && npm run bench -- --write',
      `curl -s localhost:4000/v1/threads/t/messages -H "Authorization: Bearer $KEY" \\`,
      `  -d '{"messages":`,
      `  [{"role":"user","content":"it is"}]}'`,
      'npm test 2>&1 | curl -sT - -X POST "$SPILLWAY_URL/v1/threads/t/outputs?tool_call_id=c"',
      'npx @spillway/cli keys create --name ci > key',
      'spillway keys revoke <id>',
      'docker compose up -d worker',
    ].join('\n');
    expect(shellComplaints(script)).toEqual([]);
  });

  test.each([
    ['npm run chek', 'package.json has no script "chek"'],
    ['npm install @spillway/langchian', 'no package @spillway/langchian'],
    ['npm publish', 'no check knows npm publish'],
    ['npx vitest run test/gone.test.ts', 'no file test/gone.test.ts'],
    ['npx no-such-program', 'no program no-such-program'],
    ['npx @spillway/cli undo', 'spillway has no command "undo"'],
    ['spillway keys create --scopes admin', 'spillway keys has no option --scopes'],
    ['curl localhost:4000/v1/gone', 'no route GET /v1/gone'],
    ['curl -X DELETE $SPILLWAY_URL/v1/threads/a/context', 'no route DELETE /v1/threads/a/context'],
    [`curl $SPILLWAY_URL/v1/threads/a/rewind -d '{"to": 1}'`, 'the body at /to_seq'],
    ['curl https://example.com/v1/threads', 'is no address of a service'],
    ['curl --no-such localhost:4000/v1/threads', 'curl --no-such is not known'],
    ['docker compose up -d reader', 'docker-compose.yml has no service "reader"'],
    ['node tools/gone.js', 'no file tools/gone.js'],
    ['rm -rf x', 'no check knows the program "rm"'],
    [`echo 'open`, 'a quotation is not closed'],
  ])('%s is reported', (script, complaint) => {
    expect(shellComplaints(script).join('\n')).toContain(complaint);
  });

  test('of a transcript is what follows the prompt', () => {
    expect(shellComplaints('$ npm run chek\nall is well')).toEqual(['package.json has no script "chek"']);
  });
});

test('TypeScript is compiled against the built packages: each finding has its line', () => {
  const good = `import { Spillway } from '@spillway/client';\nawait new Spillway({ baseUrl: '', key: '' }).thread('a').get();`;
  const blocks = [
    block('ts', good, 'docs/good.md'),
    block('ts', `${good}\nawait new Spillway({ url: '' }).thread('a').fold();`, 'docs/bad.md'),
    block('ts prelude=thread', 'await thread.get();', 'docs/with.md'),
    block(
      'ts prelude=thread',
      `import type { Thread } from '@spillway/client';\nconst thread: Thread = 1;`,
      'docs/own.md',
    ),
    block('js', 'const x = ;', 'docs/syntax.md'),
  ];
  const found = typeComplaints(blocks).map((text) => text.replace(/(:\d+: .{40}).*/, '$1'));
  expect(found).toEqual([
    expect.stringMatching(/^docs\/bad\.md:8: Object literal may only specify/),
    expect.stringMatching(/^docs\/bad\.md:8: Property 'fold' does not exist/),
    expect.stringMatching(/^docs\/own\.md:7: Type 'number' is not assignable/),
    expect.stringMatching(/^docs\/syntax\.md:6: Expression expected/),
  ]);
});

test('a prelude that is missing is reported', () => {
  expect(typeComplaints([block('ts prelude=gone', 'a')])).toEqual([
    'docs/a.md:5: no file docs/preludes/gone.ts',
  ]);
});
