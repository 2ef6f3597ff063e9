import type { Guard } from './guard.js';

const byHistory = {
  file: 'test/proxies/found-by-history.test.ts',
  name: 'is counted by where it went on, and a project whose conversations are mostly found nowhere hears of it',
};
const lastKey = {
  file: 'test/trust/rotated-keys.test.ts',
  name: 'a last admin key that is about to expire, or has expired, is a concern and a metric until another one lasts',
};
const endedKeys = {
  file: 'test/trust/rotated-keys.test.ts',
  name: 'F86 agents that go on with a key that was revoked do not keep the new one of their address out',
};
const hangingModels = 'test/context/hanging-models.test.ts';
const chatRoom = {
  file: hangingModels,
  name: 'A131 hundreds of turns of one project with a model that never answers: those beyond the room are refused, and others go on',
};
const proxyRoom = {
  file: hangingModels,
  name: 'A131 calls of a proxy have the same room: it comes back when they end, fail or are left, and what it refuses is not recorded',
};
const slowReaders = {
  file: 'test/messages/slow-readers.test.ts',
  name: 'A132 slow readers of large pages: those beyond the limits are refused, and others go on',
};
const hangingFolder = {
  file: 'test/faults/folder/hanging.test.ts',
  name: 'F85 processes that stop while calls to the folder of outputs hang end in time, and say what they waited for',
};

/** The bounds that keep a process alive and stop it in time, and what an operator hears of. */
export const guardsOfOperations: Guard[] = [
  {
    name: 'an admin key that lasts is no last key that expires',
    file: 'libs/store/src/access/last-admin-keys.ts',
    find: 'bool_and(k.expires_at IS NOT NULL) AND ',
    replace: '',
    test: lastKey,
  },
  {
    name: 'a last admin key is a concern 14 days before its end',
    file: 'libs/service/src/operations/last-admin-key.ts',
    find: '14 * 86_400_000',
    replace: '7 * 86_400_000',
    test: lastKey,
  },
  {
    name: 'conversations that are found in no thread are counted apart from those that begin',
    file: 'libs/service/src/proxies/history-end.ts',
    find: `isAnswered ? 'not_found' : 'new'`,
    replace: `'new'`,
    test: byHistory,
  },
  {
    name: 'conversations that are found in no thread are a concern where most are',
    file: 'libs/service/src/operations/lost-histories.ts',
    find: ' || notFound <= calls * maxShare',
    replace: '',
    test: byHistory,
  },
  {
    name: 'contexts that wait for models are bounded',
    file: 'libs/service/src/upstreams/model-call-room.ts',
    find: 'held > 0 && held + amount > max',
    replace: 'false',
    test: chatRoom,
  },
  {
    name: 'a turn of /chat whose caller leaves gives its room back',
    file: 'libs/service/src/chat/chat.ts',
    find: 'release = rt.modelCalls.take(projectId, bytes)',
    replace: 'rt.modelCalls.take(projectId, bytes)',
    test: chatRoom,
  },
  {
    name: 'a project has three quarters of the room for model calls',
    file: 'libs/service/src/upstreams/model-call-room.ts',
    find: 'this.maxBytes * projectShare',
    replace: 'this.maxBytes',
    test: proxyRoom,
  },
  {
    name: 'a small call takes room for its socket and its answer',
    file: 'libs/service/src/upstreams/model-call-room.ts',
    find: 'Math.max(bytes, minBytes)',
    replace: 'bytes',
    test: proxyRoom,
  },
  {
    name: 'all projects together are bounded by the room for model calls',
    file: 'libs/service/src/upstreams/model-call-room.ts',
    find: 'this.refuse(all, amount',
    replace: 'this.refuse(projectId, amount',
    test: proxyRoom,
  },
  {
    name: 'a call of a proxy that is refused for want of room records nothing',
    file: 'libs/service/src/proxies/proxy-turn.ts',
    find: 'rt.modelCalls.refuseFull(call.projectId);',
    replace: '',
    test: proxyRoom,
  },
  {
    name: 'a call of a proxy whose caller leaves gives its room back',
    file: 'libs/service/src/upstreams/model-call-room.ts',
    find: `signal.addEventListener('abort', release, { once: true });`,
    replace: '',
    test: {
      file: hangingModels,
      name: 'A131 a caller that leaves while its answer waits to be passed on gives its room back',
    },
  },
  {
    name: 'a call of a proxy that fails gives its room back',
    file: 'libs/service/src/proxies/proxy-turn.ts',
    find: 'room.release();',
    replace: '',
    test: proxyRoom,
  },
  {
    name: 'a call of a proxy that was answered gives its room back',
    file: 'libs/service/src/upstreams/model-call-room.ts',
    find: 'yield* answer;',
    replace: 'release = () => undefined; yield* answer;',
    test: proxyRoom,
  },
  {
    name: 'large answers of one key are bounded',
    file: 'apps/api/src/admission/answer-budget.ts',
    find: 'held.of(key) + bytes > limits.key',
    replace: 'false',
    test: slowReaders,
  },
  {
    name: 'large answers of one project are bounded',
    file: 'apps/api/src/admission/answer-budget.ts',
    find: 'held.of(project) + bytes > limits.project',
    replace: 'false',
    test: slowReaders,
  },
  {
    name: 'large answers of a process are bounded',
    file: 'apps/api/src/admission/answer-budget.ts',
    find: 'held.of(all) + bytes > limits.total',
    replace: 'false',
    test: slowReaders,
  },
  {
    name: 'a large answer whose client has gone is held no more',
    file: 'apps/api/src/admission/answer-budget.ts',
    find: 'whenClosed(request, reply, held.take([key, project, all], bytes));',
    replace: 'held.take([key, project, all], bytes);',
    test: slowReaders,
  },
  {
    name: 'a client that takes nothing of a large answer loses its connection',
    file: 'apps/api/src/admission/answer-budget.ts',
    find: 'endWhenStalled(reply.raw, stalledMs);',
    replace: '',
    test: {
      file: slowReaders.file,
      name: 'A132 a client that takes nothing of a large page loses its connection, and its share is free again',
    },
  },
  {
    name: 'a process that stops ends in time, whatever it waits for',
    file: 'libs/service/src/operations/stop-process.ts',
    find: 'setTimeout(giveUp, stopWithinMs).unref();',
    replace: '',
    test: hangingFolder,
  },
  {
    name: 'a process that stops does not wait for calls to a folder that hangs',
    file: 'libs/service/src/operations/stop-process.ts',
    find: 'if (blobs.openCalls().all > 0)',
    replace: 'if (code > 1)',
    test: hangingFolder,
  },
  {
    name: 'a process that stops says what it waited for',
    file: 'libs/service/src/operations/stop-process.ts',
    find: 'waitedFor = step.waitsFor;',
    replace: '',
    test: hangingFolder,
  },
  {
    name: 'a key that was replaced is no guess',
    file: 'libs/service/src/access/authenticate.ts',
    find: 'isNew && (knownOwner || !(error instanceof RefusedKey))',
    replace: 'isNew && !(error instanceof RefusedKey)',
    test: endedKeys,
  },
  {
    name: 'an ended key is not looked up for each of its requests',
    file: 'libs/service/src/access/authenticate.ts',
    find: 'ended.set(name, knownOwner);',
    replace: 'void 0;',
    test: endedKeys,
  },
];
