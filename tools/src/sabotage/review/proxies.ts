import type { Guard } from '../guard.js';

const proxies = 'test/proxies/proxies.test.ts';
const turn = 'libs/service/src/proxies/proxy-turn.ts';
const refused = (what: string) => `${what} is refused in the words of Spillway, where an SDK finds them`;

/** What holds between an agent and its provider. */
export const guardsOfProxies: Guard[] = [
  {
    name: 'the end of a streamed answer waits until the reply is recorded',
    file: turn,
    find: `      await recordOnce();
      yield chunk;`,
    replace: `      yield chunk;
      await recordOnce();`,
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
    name: "the server's key calls allowed models alone",
    file: turn,
    find: 'if (turn.ownKey !== null || ',
    replace: 'if (turn.ownKey !== undefined || ',
    test: { file: proxies, name: refused('another model') },
  },
  {
    name: 'a proxied request of a thread token is about its own thread',
    file: 'apps/api/src/proxies/proxies.controller.ts',
    find: 'if (token !== null && id !== token.threadId)',
    replace: "if (token !== null && id === '')",
    test: { file: proxies, name: 'a thread token is good for its own thread, and names it' },
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
];
