import type { Guard } from '../guard.js';
import { guardsOfSecrets } from './secrets.js';
import { guardsOfGemini } from './gemini.js';
import { guardsOfProxies } from './proxies.js';
import { guardsOfThreadTokens } from './thread-tokens.js';

const keyless = 'test/abuse/keyless.test.ts';
const credentials = 'test/trust/credentials.test.ts';
const budget = 'apps/api/src/admission/body-budget.test.ts';
const streams = 'apps/api/src/events/stream-limit.test.ts';

const keys = 'test/trust/keys.test.ts';
const sessionsBounded =
  'a key has so many live sessions, those idle for longest end, and it begins so many in ten minutes';

/** Who is let in, what one caller may take, and what secrets there are. */
export const guardsOfAccess: Guard[] = [
  {
    name: 'no body is read before its key was checked',
    file: 'apps/api/src/admission/admission.ts',
    find: "fastify.addHook('onRequest', async",
    replace: "fastify.addHook('preValidation', async",
    findings: ['security H1'],
    test: {
      file: keyless,
      name: 'A96 a body of chunks without a key is refused before it is sent, on routes that exist and others',
    },
  },
  {
    name: 'a key reserves a share of the buffered bodies and no more',
    file: 'apps/api/src/admission/body-budget.ts',
    find: 'held.of(key) + bytes > limits.key',
    replace: 'held.of(key) + bytes < 0',
    findings: ['security H1'],
    test: { file: budget, name: 'a key that holds its share does not block another key' },
  },
  {
    name: 'a project reserves a share of the buffered bodies and no more',
    file: 'apps/api/src/admission/body-budget.ts',
    find: 'held.of(project) + bytes > limits.project',
    replace: 'held.of(project) + bytes < 0',
    findings: ['security H1'],
    test: { file: budget, name: 'the keys of a project together do not block another project' },
  },
  {
    name: 'a body of chunks counts as the largest that is allowed',
    file: 'apps/api/src/admission/admission.ts',
    find: "headers['transfer-encoding'] !== undefined",
    replace: "headers['transfer-encoding'] === 'never'",
    findings: ['security H1'],
    test: {
      file: keyless,
      name: 'A97 a key that holds its share of buffered bodies blocks neither itself for ever nor another key',
    },
  },
  {
    name: 'sessions of one key share its event streams',
    file: 'apps/api/src/events/stream-limit.ts',
    find: 'name: `key ${keyId}`',
    replace: 'name: `key ${sessionId ?? keyId}`',
    findings: ['security M2'],
    test: { file: streams, name: 'more sessions of one key do not get more streams than the key may have' },
  },
  {
    name: 'a project has a share of the event streams',
    file: 'apps/api/src/events/stream-limit.ts',
    find: 'name: `project ${projectId}`',
    replace: 'name: `project ${sessionId ?? keyId}`',
    findings: ['security M2'],
    test: { file: streams, name: 'the keys of one project do not take the streams of other projects' },
  },
  {
    name: 'a stream slot is released once',
    file: 'libs/service/src/operations/held-amounts.ts',
    find: 'if (isReleased)',
    replace: 'if (amount < 0)',
    findings: ['code 14'],
    test: { file: streams, name: 'a stream slot that is released twice is released once' },
  },
  {
    name: 'searches of messages take search slots',
    file: 'libs/service/src/search/search-thread.ts',
    find: 'return withSearchSlot(projectId, async () =>',
    replace: 'return ((_project, run) => run())(projectId, async () =>',
    findings: ['security M3'],
    test: { file: keyless, name: 'A100 searches of messages take search slots, two of a project at a time' },
  },
  {
    name: 'one project takes a share of the connections and no more',
    file: 'libs/store/src/connection/scoped-pool.ts',
    find: 'const projectShare = 0.75',
    replace: 'const projectShare = 1',
    findings: ['security M3'],
    test: {
      file: keyless,
      name: 'A100 reads of one project that all wait for the database leave connections to another',
    },
  },
  {
    name: 'expensive requests of a key have a rate limit',
    file: 'apps/api/src/admission/admission.ts',
    find: 'limits.count(caller, route.cost !== undefined)',
    replace: 'limits.count(caller, false)',
    findings: ['security M3'],
    test: {
      file: keyless,
      name: 'A98 a key that asks for too many expensive answers is told to wait, and its other requests go on',
    },
  },
  {
    name: 'refused requests are logged and audited',
    file: 'apps/api/src/http/problem.filter.ts',
    find: 'new Set([401, 403, 429])',
    replace: 'new Set([499])',
    findings: ['security M7'],
    test: {
      file: keyless,
      name: 'A99 refused requests are in the audit log, bounded, with the address and the key they came from',
    },
  },
  {
    name: 'wrong keys are limited before the database is asked',
    file: 'libs/service/src/access/authenticate.ts',
    find: "await takeOrRefuse(attempts, from, 'Too many wrong keys from this address; try again later.')",
    replace: "takeOrRefuse(attempts, from, '').catch(() => undefined)",
    findings: ['security L8'],
    test: {
      file: credentials,
      name: 'an address that guesses keys is refused without asking the database, and a good key goes on',
    },
  },
  {
    name: 'readiness is asked of the database once a second',
    file: 'libs/service/src/operations/check-readiness.ts',
    find: 'if (known && performance.now() - known.at < reusedMs)',
    replace: 'if (known && performance.now() < 0)',
    findings: ['security L8'],
    test: {
      file: credentials,
      name: 'however often readiness is asked for, the database is asked once a second',
    },
  },
  {
    name: 'a key has a bounded number of live sessions',
    file: 'libs/store/src/access/sessions.ts',
    find: 'ORDER BY s.seen_at DESC OFFSET $6',
    replace: 'ORDER BY s.seen_at DESC OFFSET $6 + 100000',
    findings: ['security M2'],
    test: { file: credentials, name: sessionsBounded },
  },
  {
    name: 'a key begins a bounded number of sessions',
    file: 'libs/service/src/access/sessions.ts',
    find: 'points: 120, duration: 600',
    replace: 'points: 120000, duration: 600',
    findings: ['security M2'],
    test: { file: credentials, name: sessionsBounded },
  },
  {
    name: 'a session shows its key again before it makes keys',
    file: 'libs/service/src/access/keys.ts',
    find: "await refuseUnproven(rt, caller, 'key');",
    replace: 'void refuseUnproven;',
    findings: ['security M4'],
    test: { file: keys, name: 'A104 shows its own key again first, unless it did so in the last minutes' },
  },
  {
    name: 'a session shows its key again before it sets an upstream',
    file: 'libs/service/src/upstreams/upstreams.ts',
    find: "await refuseUnproven(rt, caller, 'upstream');",
    replace: 'void refuseUnproven;',
    test: {
      file: keys,
      name: 'A117 nor an address that the data of its project goes to or a secret that signs it, which would outlive it',
    },
  },
  {
    name: 'a session shows its key again before it replaces the secret of a webhook',
    file: 'libs/service/src/webhooks/webhooks.ts',
    find: "await refuseUnproven(rt, caller, 'secret');",
    replace: 'void refuseUnproven;',
    test: {
      file: keys,
      name: 'A117 nor an address that the data of its project goes to or a secret that signs it, which would outlive it',
    },
  },
  {
    name: 'a key that is made in a session ends',
    file: 'libs/service/src/access/keys.ts',
    find: 'sessionId === null ? null : new Date(',
    replace: "sessionId !== '' ? null : new Date(",
    findings: ['security M4'],
    test: { file: keys, name: 'A104 makes keys that end, unless it says that they do not' },
  },
  {
    name: 'an open stream is no request of its session',
    file: 'libs/store/src/access/live-callers.ts',
    find: " AND s.seen_at > now() - $3::int * interval '1 ms'",
    replace: ' AND $3::int > 0',
    findings: ['security M4'],
    test: { file: keys, name: 'A105 an open stream does not keep a session alive' },
  },
  {
    name: 'outputs are read with the scope outputs:read alone',
    file: 'apps/api/src/messages/messages.controller.ts',
    find: "const withOutputs = mayRead(caller, 'outputs:read');",
    replace: "const withOutputs = mayRead(caller, 'context:read');",
    findings: ['security L6'],
    test: { file: keys, name: 'without outputs:read no list, search or export holds what outputs say' },
  },
  {
    name: 'a system prompt is answered to keys that may read contexts',
    file: 'apps/api/src/threads/thread.view.ts',
    find: "mayRead(caller, 'context:read') ? threadView(row)",
    replace: 'row ? threadView(row)',
    findings: ['security L6'],
    test: { file: keys, name: 'without context:read no change of a thread answers its system prompt' },
  },
  {
    name: 'the text of a summary is answered to keys that may read contexts',
    file: 'apps/api/src/summaries/summary.view.ts',
    find: "mayRead(caller, 'context:read') ? summaryView(row, thread)",
    replace: 'row ? summaryView(row, thread)',
    findings: ['security L6'],
    test: { file: keys, name: 'without context:read a restored summary is answered without its text' },
  },
  ...guardsOfSecrets,
  ...guardsOfThreadTokens,
  ...guardsOfProxies,
  ...guardsOfGemini,
];
