import type { Guard } from '../guard.js';

const statements = 'test/outputs/sweep-statements.test.ts';
const byPath = 'test/outputs/outputs-by-path.test.ts';
const uploads = 'test/uploads/uploads.test.ts';
const uploadBounds = 'test/uploads/upload-bounds.test.ts';

/** What keeps outputs readable, bounded and swept. */
export const guardsOfReviewedOutputs: Guard[] = [
  {
    name: 'posted content of several parts is stored beside the text',
    findings: ['code 4'],
    file: 'libs/store/src/outputs/outputs.ts',
    find: 'o.original?.key ?? null',
    replace: 'null',
    test: {
      file: 'test/messages/large-results.test.ts',
      name: 'is a blob beside the text, and not in the database',
    },
  },
  {
    name: 'large results are previewed on a thread',
    findings: ['code 6'],
    file: 'libs/service/src/outputs/offload-output.ts',
    find: 'if (text.length <= inlineCharacters)',
    replace: 'if (text.length >= 0)',
    test: {
      file: 'test/messages/large-results.test.ts',
      name: '%s: the event loop is held for a small part of the work',
    },
  },
  {
    name: 'a page of outputs goes on within a message',
    findings: ['code 5'],
    file: 'libs/store/src/outputs/outputs.ts',
    find: '{ seq: after.seq, place: { gt: after.place } }',
    replace: '{ seq: after.seq, place: { lt: 0 } }',
    test: {
      file: 'test/outputs/outputs.test.ts',
      name: 'in a message with others is listed once, whatever the page',
    },
  },
  {
    name: 'a blob that cannot be removed stops no other removal',
    findings: ['code 7'],
    file: 'libs/service/src/sweep/removals.ts',
    find: 'await Promise.allSettled(some.map(remove))',
    replace: "(await Promise.all(some.map(remove))).map(() => ({ status: 'fulfilled', reason: undefined }))",
    test: {
      file: 'test/faults/outputs.test.ts',
      name: 'a blob that cannot be removed stops no other removal, is retried later, and is reported',
    },
  },
  {
    name: 'the byte budget is compared with a kept sum',
    findings: ['code 12'],
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: 'AS excess FROM output_bytes WHERE project_id = $1',
    replace: "AS excess FROM outputs WHERE state = 'ready' AND project_id = $1",
    test: {
      file: statements,
      name: 'the budget is compared with the kept sum, and no sweep adds all outputs up',
    },
  },
  {
    name: 'a deleted output keeps no chunk hashes',
    findings: ['code 19'],
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ', chunk_hashes = NULL',
    replace: '',
    test: { file: statements, name: 'a tombstone keeps no hashes of the bytes' },
  },
  {
    name: 'a line of any length is read to its end',
    findings: ['code 3', 'integration 1'],
    file: 'libs/blobs/src/lines.ts',
    find: 'pieces.push(take(wholeCharacters(rest, maxBytes), false, 0))',
    replace: 'rest = rest.subarray(0, maxBytes)',
    test: {
      file: 'test/blob-stores/grep.test.ts',
      name: 'a match anywhere in a line of megabytes is found where it is: %s',
    },
  },
  {
    name: 'reads of outputs are bounded in tokens',
    findings: ['integration 10'],
    file: 'libs/service/src/outputs/read-lines.ts',
    find: 'if (cost > left)',
    replace: 'if (cost < 0)',
    test: {
      file: 'test/outputs/outputs.test.ts',
      name: 'by lines, bounded in tokens, with the query that reads on',
    },
  },
  {
    name: 'results of reading tools stay up to a bound only',
    findings: ['integration 9'],
    file: 'libs/engine/src/outputs/offload.ts',
    find: 'isExempt && tokens <= maxExemptTokens(policy.threshold_tokens, contextLimit)',
    replace: 'isExempt',
    test: {
      file: 'libs/engine/src/outputs/stub.test.ts',
      name: 'the result of a reading tool stays up to %s, and no larger one',
    },
  },
  {
    name: 'a stub of an upload belongs to one message',
    file: 'libs/service/src/outputs/uploads/posted-uploads.ts',
    find: 'upload.threadId === threadId && !isRetry',
    replace: 'false',
    test: {
      file: uploads,
      name: 'posted again by a retry is the same message; in another message it is refused',
    },
  },
  {
    name: 'a stub of an upload is taken in its own thread only',
    file: 'libs/service/src/outputs/uploads/posted-uploads.ts',
    find: 'upload.threadId !== threadId',
    replace: 'false',
    test: {
      file: uploads,
      name: 'of another thread, for another call, or changed, is refused, and the right message is still taken',
    },
  },
  {
    name: 'an upload that fails leaves no temporary file',
    file: 'libs/blobs/src/blob-stores/disk.ts',
    find: 'files.remove(temporary).catch(() => undefined)',
    replace: 'Promise.resolve(temporary)',
    test: {
      file: 'test/blob-stores/disk.test.ts',
      name: 'a stream that fails or is discarded leaves no temporary file',
    },
  },
  {
    name: 'an upload ends at its limit',
    file: 'apps/api/src/http/streamed-body.ts',
    find: 'if (bytes > maxBytes)',
    replace: 'if (bytes < 0)',
    test: { file: uploadBounds, name: 'too large when it has come' },
  },
  {
    name: 'an upload of an erased thread is removed',
    file: 'libs/service/src/outputs/uploads/upload-output.ts',
    find: 'await isStaged(rt.store.query, projectId, id)',
    replace: 'true',
    test: { file: uploadBounds, name: 'of a thread that is erased while it comes' },
  },
  {
    name: 'an upload keeps its ends in memory, and no more',
    file: 'libs/service/src/outputs/uploads/text-ends.ts',
    find: 'tailWritten <= max',
    replace: 'tailWritten > 0',
    test: {
      file: 'libs/service/src/outputs/uploads/text-ends.test.ts',
      name: 'both ends are kept, however the bytes are cut into pieces',
    },
  },
  {
    name: 'the marks of a long output are bounded',
    file: 'libs/blobs/src/line-index.ts',
    find: 'this.linesPerMark *= 2',
    replace: 'this.linesPerMark *= 1',
    test: {
      file: 'libs/blobs/src/line-index.test.ts',
      name: 'the marks of a very long text stand further apart, and are still the offsets of lines',
    },
  },
  {
    name: 'a costly JSONPath is given up',
    file: 'libs/service/src/outputs/json-path/pool.ts',
    find: 'setTimeout(() => limit.abort(), timeoutMs)',
    replace: 'setTimeout(() => limit.abort(), 600_000)',
    test: {
      file: byPath,
      name: 'a path that would run for ever or take all memory is given up, and others are answered meanwhile',
    },
  },
  {
    name: 'a JSONPath that waits for a thread waits outside of the pool',
    file: 'libs/service/src/outputs/json-path/pool.ts',
    find: 'free.runExclusive(() => evaluate(task))',
    replace: 'evaluate(task)',
    test: {
      file: byPath,
      name: 'a path that would run for ever or take all memory is given up, and others are answered meanwhile',
    },
  },
  {
    name: 'a large text that waits for a thread waits outside of the pool',
    file: 'libs/service/src/outputs/text-work/pool.ts',
    find: 'new FairShare(maxThreads)',
    replace: 'new FairShare(1_000)',
    test: {
      file: 'test/messages/large-results.test.ts',
      name: 'is read on a thread also behind two whose time is up, and its own time counts from where it begins',
    },
  },
  {
    name: 'matches of a JSONPath are bounded in tokens',
    file: 'libs/service/src/outputs/read-path.ts',
    find: 'if (builder.add(match))',
    replace: 'if (builder.add(match) && total < 0)',
    test: { file: byPath, name: 'many matches are lines, bounded in tokens, with the query that reads on' },
  },
  {
    name: 'numbers read by path come as they are written',
    file: 'libs/service/src/outputs/json-path/exact-numbers.ts',
    find: 'if (own !== undefined)',
    replace: 'if (own === null)',
    test: {
      file: 'libs/service/src/outputs/json-path/evaluate.test.ts',
      name: 'numbers that a double cannot hold come as they are written',
    },
  },
  {
    name: 'brackets within strings are no nesting',
    file: 'libs/engine/src/outputs/preview/json/parse-json.ts',
    find: 'isString = !isString',
    replace: 'isString = false',
    test: {
      file: 'libs/service/src/outputs/json-path/evaluate.test.ts',
      name: 'nesting is bounded, and brackets within strings are none',
    },
  },
  {
    name: 'a body that is no upload has its own time limit',
    file: 'apps/api/src/http/request-timeout.ts',
    find: 'setTimeout(giveUp, requestMs)',
    replace: 'setTimeout(giveUp, 600_000)',
    test: { file: 'test/abuse/slow-clients.test.ts', name: 'A22 a body that never ends is given up' },
  },
  {
    name: 'what is reserved for a client that has hung up is released at once',
    file: 'apps/api/src/http/when-closed.ts',
    find: 'if (raw.destroyed) {',
    replace: 'if (raw.destroyed === null) {',
    test: {
      file: 'test/abuse/slow-clients.test.ts',
      name: 'A118 clients that hang up while their key is looked up take no room from later ones',
    },
  },
  {
    name: 'a download that is destroyed before its first byte closes its file',
    file: 'libs/service/src/outputs/read-output.ts',
    find: "stream.once('close', () => {",
    replace: "stream.once('never', () => {",
    test: {
      file: 'test/outputs/stalled-download.test.ts',
      name: 'downloads whose clients hang up before the first byte leave no file open',
    },
  },
  {
    name: 'a search without a result yet has its time of a core on a busy machine too',
    file: 'libs/blobs/src/grep/matcher.ts',
    find: 'this.limitCpu(limit.cpuMs)',
    replace: 'this.limitWall(limit.cpuMs)',
    test: {
      file: 'libs/blobs/src/grep/matcher.test.ts',
      name: 'where many threads want a core, a search has its time of one all the same, and ends after it',
    },
  },
  {
    name: 'a download ends for its client alone, and not because the server is late',
    file: 'apps/api/src/http/end-when-stalled.ts',
    find: 'if (response.socket?.writableLength)',
    replace: 'if (true)',
    test: {
      file: 'test/outputs/stalled-download.test.ts',
      name: 'an export that waits for the database, and not for its client, comes whole',
    },
  },
];
