import type { Guard } from '../guard.js';

const proxies = 'test/proxies/proxies.test.ts';
const retries = 'test/proxies/retries.test.ts';
const turn = 'libs/service/src/proxies/proxy-turn.ts';
const names = 'apps/api/src/proxies/proxied-thread.ts';
const threadNames = 'test/proxies/thread-names.test.ts';
const upstream = 'libs/service/src/upstreams/upstream-of.ts';
const upstreamKeys = 'test/proxies/upstream-keys.test.ts';
const upstreams = 'test/proxies/upstreams.test.ts';
const callers = 'test/proxies/callers.test.ts';
const keyBudget = 'test/proxies/key-budget.test.ts';

/** What holds between an agent and its provider. */
export const guardsOfProxies: Guard[] = [
  {
    name: 'a model is not called once the tokens of the key are spent',
    file: 'libs/service/src/usage/refuse-spent-chat.ts',
    find: 'await refuseSpentKey(rt, projectId, key);',
    replace: '',
    test: { file: keyBudget, name: 'the proxy of messages' },
  },
  {
    name: 'a thread token spends the budget of its key',
    file: 'libs/store/src/access/thread-tokens.ts',
    find: "${hasChatBudget('k')}",
    replace: 'false AS "hasChatBudget"',
    test: { file: keyBudget, name: 'thread tokens and sessions spend the budget of their key' },
  },
  {
    name: 'the end of a streamed answer waits until the reply is recorded',
    file: 'libs/service/src/proxies/relay.ts',
    find: 'await record(collector.reply)',
    replace: 'void setTimeout(() => record(collector.reply), 100)',
    test: { file: proxies, name: 'a stream arrives as it is made, not when it ends' },
  },
  {
    name: 'a request again takes the answer back that it had',
    file: 'libs/service/src/proxies/sync-history.ts',
    find: 'if (gone > 0)',
    replace: 'if (gone < 0)',
    test: {
      file: proxies,
      name: 'a request again, after its answer was lost or because another one is wanted, replaces the answer',
    },
  },
  {
    name: 'a history that the newest messages do not hold is looked for further back',
    file: 'libs/service/src/proxies/sync-history.ts',
    find: 'const compared = [256, 8_192]',
    replace: 'const compared = [256]',
    test: {
      file: proxies,
      name: 'a history that ends far behind the newest message takes back all that came after it',
    },
  },
  {
    name: 'an answer that was said before is no new place in the thread',
    file: 'libs/client/src/agent/align.ts',
    find: 'place.same > atEnd.same',
    replace: 'place.same < 0',
    test: {
      file: retries,
      name: 'adds nothing where the answer that it replaces was said before',
    },
  },
  {
    name: 'what the model is asked now is compared by its content',
    file: 'libs/service/src/proxies/sync-history.ts',
    find: 'return changed < 0',
    replace: 'return changed < Infinity',
    test: {
      file: retries,
      name: 'with another result of the same call sends that one, and large ones are told apart too',
    },
  },
  {
    name: "a proxied call is sent no other caller's messages",
    file: turn,
    find: 'context.lastSeq === head ?',
    replace: 'context.lastSeq <= Infinity ?',
    test: { file: retries, name: 'each of several callers at once is asked about its own message' },
  },
  {
    name: 'a mark of the prefix to cache is recorded nowhere',
    file: 'libs/service/src/proxies/cache-marks.ts',
    find: 'isObject(part) ? withoutMarks(part)',
    replace: 'isObject(part) ? part',
    test: {
      file: 'test/proxies/cache-marks.test.ts',
      name: 'a gateway that takes them in chat completions gets one, at the end',
    },
  },
  {
    name: 'an item that the thread does not have is not guessed',
    file: 'libs/service/src/proxies/sync-history.ts',
    find: 'refuseReferences(messages.slice(known))',
    replace: 'refuseReferences([])',
    test: {
      file: 'test/proxies/item-references.test.ts',
      name: 'a reference to an item that the thread does not have is refused, and nothing is recorded',
    },
  },
  {
    name: "the server's key calls allowed models alone",
    file: upstream,
    find: 'callersKey === null && configured ?',
    replace: "callersKey === '' && configured ?",
    test: {
      file: callers,
      name: 'the key of the server calls its own model and listed ones alone',
    },
  },
  {
    name: 'a proxied request of a thread token is about its own thread',
    file: names,
    find: 'named !== token.threadId)',
    replace: "named === '')",
    test: { file: callers, name: 'a thread token is good for its own thread, and names it' },
  },
  {
    name: "a user's name is no other name of a thread",
    file: names,
    find: "const userPrefix = 'user:'",
    replace: "const userPrefix = ''",
    test: { file: threadNames, name: 'the name of a user is no thread that was named otherwise' },
  },
  {
    name: "a user's name is a thread only for those who ask for it",
    file: names,
    find: 'if (from === undefined)',
    replace: 'if (from === undefined && body.user === undefined)',
    test: { file: threadNames, name: 'the name of a user is a thread for those who ask for that alone' },
  },
  {
    name: 'cookies of the provider stay here',
    file: 'libs/service/src/proxies/call-provider.ts',
    find: `  'set-cookie',
`,
    replace: '',
    test: {
      file: proxies,
      name: 'what the provider sends is what the caller gets: status, headers and every byte, however it is cut',
    },
  },
  {
    name: 'an upstream of a project gets no key of the server',
    file: upstream,
    find: 'callersKey ?? openKey(rt, own)',
    replace: 'callersKey ?? openKey(rt, own) ?? rt.llm?.apiKey ?? null',
    test: {
      file: upstreams,
      name: 'an upstream without a key gets none, and least of all that of the server',
    },
  },
  {
    name: 'the models of an upstream are those that may be called',
    file: upstream,
    find: 'models.length > 0 &&',
    replace: 'models.length < 0 &&',
    test: {
      file: upstreams,
      name: 'a model that is not listed is refused where an SDK looks for it, and nothing is recorded or sent',
    },
  },
  {
    name: 'the key of an upstream goes to no other address than the one it was stored for',
    file: 'libs/store/src/upstreams.ts',
    find: 'OR: [{ key: null }, { baseUrl }]',
    replace: 'projectId',
    test: { file: upstreamKeys, name: 'stays while the address does, and never goes to another one' },
  },
  {
    name: 'the key of an upstream is bound to its project',
    file: 'libs/service/src/upstreams/upstream-key.ts',
    find: '`${projectId}/upstream/${provider}`',
    replace: '`upstream/${provider}${projectId.slice(99)}`',
    test: { file: upstreamKeys, name: 'does not open in the row of another project' },
  },
  {
    name: 'upstreams of projects are reached at public addresses alone',
    file: upstream,
    find: '? post : publicPost',
    replace: '? post : (publicPost, post)',
    test: { file: upstreamKeys, name: 'an address that has become private gets no connection' },
  },
];
