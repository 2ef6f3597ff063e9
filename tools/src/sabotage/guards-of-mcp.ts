import type { Guard } from './guard.js';

const refusals = 'test/trust/mcp.test.ts';
const structures = 'test/agents/mcp-structures.test.ts';
const controller = 'apps/api/src/mcp/mcp.controller.ts';
const tools = 'apps/api/src/mcp/mcp-tools.ts';
const ownAlone = {
  file: refusals,
  name: 'A110 is not readable with a thread token, neither it nor its outputs',
};

/** Who may call MCP, and what its tools reach. */
export const guardsOfMcp: Guard[] = [
  {
    name: 'MCP is not served to web pages of other hosts',
    file: controller,
    find: 'refusePages(request.headers.origin);',
    replace: '',
    test: { file: refusals, name: 'A109 pages of other hosts, and no others' },
  },
  {
    name: 'MCP refuses batches',
    file: controller,
    find: 'if (Array.isArray(body))',
    replace: 'if (false)',
    test: { file: refusals, name: 'a batch' },
  },
  {
    name: 'a session of the console cannot use MCP',
    file: controller,
    find: 'if (caller.sessionId !== null)',
    replace: 'if (false)',
    test: { file: refusals, name: 'a key without the scopes to read, and a session of the console' },
  },
  {
    name: 'an MCP client holds no connection open to wait for changes',
    file: controller,
    find: 'maxSubscriptions: 0',
    replace: 'maxSubscriptions: 10',
    test: {
      file: refusals,
      name: 'a stream of changes, of which there are none: no connection is kept open',
    },
  },
  {
    name: 'a thread token calls MCP tools on its own thread alone',
    file: tools,
    find: 'caller.token === null ? null : await',
    replace: 'true ? null : await',
    test: ownAlone,
  },
  {
    name: 'a reader tool reads the outputs of its thread alone',
    file: 'libs/service/src/reader-tools/output-of-thread.ts',
    find: 'if (!(await isOutputOf(rt, scope.threadId, found)))',
    replace: 'if (false)',
    test: ownAlone,
  },
  {
    name: 'MCP tools that change something need the scope to write',
    file: tools,
    find: 'return scope === undefined ||',
    replace: 'return true ||',
    test: { file: refusals, name: 'a key that only reads may not keep messages, and is not offered to' },
  },
  {
    name: 'MCP tools that search count as searches',
    file: 'apps/api/src/mcp/mcp-server.ts',
    find: 'if (tool.isExpensive)',
    replace: 'if (false)',
    test: { file: refusals, name: 'more calls than a token may make in a second are answers that say so' },
  },
  {
    name: 'an item of an MCP answer counts with its JSON',
    file: 'libs/service/src/reader-tools/structure-tokens.ts',
    find: 'structured ? jsonTokens(item, count) + joint : 0',
    replace: '0',
    test: { file: structures, name: 'matches that are full of control characters: fewer of them on a page' },
  },
  {
    name: 'the hits of a search fit as data too',
    file: 'libs/service/src/reader-tools/search-history-tool.ts',
    find: 'if (tokens <= maxTokens)',
    replace: 'if (true)',
    test: { file: structures, name: 'hits that are full of quotes and tabs: they are cut, and say so' },
  },
  {
    name: 'a page of threads ends where its cursor continues',
    file: 'libs/service/src/reader-tools/list-threads-tool.ts',
    find: 'if (fitting > 0)',
    replace: 'if (false)',
    test: { file: structures, name: 'threads with long ids, each of which is listed once' },
  },
];
