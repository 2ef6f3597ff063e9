import type { Guard } from './guard.js';

const sweep = 'test/outputs/sweep-statements.test.ts';
const look = 'libs/store/src/sql/outputs/projects-to-sweep.ts';
const mediaInUse = 'prisma/migrations/20270112000000_media_in_use/migration.sql';
const idle = 'test/outputs/idle-projects.test.ts';

/** What keeps the bytes of outputs. */
export const guardsOfOutputs: Guard[] = [
  {
    name: 'pinned outputs are never swept',
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ' AND NOT pinned',
    replace: '',
    everywhere: true,
    test: { file: sweep, name: 'pinned outputs stay, expired or over the budget' },
  },
  {
    name: 'a sweep visits the projects whose outputs have expired',
    file: look,
    find: "${first('outputs', 'expires_at', removable)} < now()",
    replace: 'false',
    test: { file: idle, name: 'an expired output' },
  },
  {
    name: 'a sweep visits the projects over a byte budget of their own',
    file: look,
    find: 'THEN 0 ELSE $1::bigint END',
    replace: 'THEN $1::bigint ELSE $1::bigint END',
    test: { file: idle, name: 'outputs beyond its own byte budget' },
  },
  {
    name: 'a sweep visits the projects with deliveries that ended long ago',
    file: look,
    find: "${first('webhook_deliveries', 'ended_at')} < ${ago(2)}",
    replace: 'false',
    test: { file: idle, name: 'a delivery of last week' },
  },
  {
    name: 'the newest sweeps of a project stay',
    file: 'libs/store/src/outputs/sweeps.ts',
    find: "            AND started_at < ${oldestKeptSweep('$1')}",
    replace: '',
    test: {
      file: idle,
      name: 'a sweep forgets the sweeps of last week down to the newest 20, and keeps those of this week',
    },
  },
  {
    name: 'a sweep has the time when it began',
    file: 'libs/store/src/outputs/sweeps.ts',
    find: "now() - $2::int * interval '1 ms', $2",
    replace: 'now(), $2',
    test: {
      file: 'test/outputs/sweep-start.test.ts',
      name: 'a sweep is recorded with the time when it began, and shown with it',
    },
  },
  {
    name: 'a policy that cannot be read stops no sweep of another project',
    file: 'libs/service/src/sweep/find-projects-to-sweep.ts',
    find: 'return true;',
    replace: "throw new Error('unreadable');",
    test: { file: idle, name: 'a policy that cannot be read fails the sweep of its project alone' },
  },
  {
    name: 'media are looked at again once a use of them has ended',
    file: mediaInUse,
    find: 'UPDATE media SET in_use = false WHERE',
    replace: 'UPDATE media SET in_use = in_use WHERE',
    test: {
      file: 'test/outputs/unused-media.test.ts',
      name: 'a sweep looks once at media that are in use, and again when a use of them has ended',
    },
  },
  {
    name: 'a use of media that ends while a sweep looks is not overlooked',
    file: mediaInUse,
    find: 'UPDATE media SET in_use = false WHERE',
    replace: 'UPDATE media SET in_use = false WHERE in_use AND',
    test: {
      file: 'test/outputs/unused-media.test.ts',
      name: 'a use that ends while a sweep looks is found by the next one',
    },
  },
  {
    name: 'an upload is taken by one message, also by two that come at once',
    file: 'libs/store/src/sql/messages/append.ts',
    find: "ELSE spillway_refuse('output ' || outputs.id || ' belongs to another message') END",
    replace: "ELSE 'ready' END",
    test: {
      file: 'test/uploads/uploads.test.ts',
      name: 'can be taken by one message of a call, and by one of two calls',
    },
  },
  {
    name: 'outputs are swept when they have expired, and not before',
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ' AND expires_at < now()',
    replace: '',
    test: { file: sweep, name: 'outputs expire at their time and not before' },
  },
  {
    name: 'bytes go once the grace is over, and not before',
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ' AND delete_after <= now()',
    replace: '',
    test: { file: sweep, name: 'bytes may go once their grace is over, and not before' },
  },
  {
    name: 'the archive of an erased thread is removed with its other files',
    file: 'libs/service/src/sweep/sweep-outputs.ts',
    find: 'return rt.blobs.removeAll(folder);',
    replace: 'return;',
    test: {
      file: 'test/outputs/retrieval.test.ts',
      name: 'are in a folder of their thread, compacted messages in a context file that grep finds them in, and go with it',
    },
  },
  {
    name: 'bytes are hashed before they are served',
    file: 'libs/blobs/src/verified.ts',
    find: 'if (!hashOf(chunk).equals(expected))',
    replace: 'if (chunk.length < 0)',
    test: {
      file: 'test/blob-stores/verified.test.ts',
      name: 'a byte that changed is not served by any range that touches its chunk, and others are',
    },
  },
  {
    name: 'a schedule that a fast clock stopped is removed before it is made again',
    file: 'libs/jobs/src/hints.ts',
    find: 'await queue.removeJobScheduler(name);',
    replace: ';',
    test: {
      file: 'test/operations/queues.test.ts',
      name: 'a schedule that stands still ahead of the clock is begun anew, and one that a worker moves on is left alone',
    },
  },
  {
    name: 'a schedule that a worker moves on has not stopped',
    file: 'libs/jobs/src/stopped-schedule.ts',
    find: ' && now - last.since > 2 * everyMs',
    replace: '',
    test: {
      file: 'test/operations/queues.test.ts',
      name: 'a schedule that stands still ahead of the clock is begun anew, and one that a worker moves on is left alone',
    },
  },
  {
    name: 'the age of a blob is judged by the earlier of two clocks',
    file: 'libs/service/src/sweep/sweep-storage.ts',
    find: 'Math.min(Date.now(), await databaseTime(rt.store.query))',
    replace: 'Date.now()',
    test: {
      file: 'test/faults/outputs.test.ts',
      name: 'a sweep of storage by a process whose clock is days off removes no blob of today',
    },
  },
];
