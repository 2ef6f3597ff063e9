import type { Guard } from './guard.js';

const threads = 'test/threads/backup.test.ts';
const forks = 'test/threads/backup-of-forks.test.ts';
const projects = 'test/cli/backup.test.ts';

/** What keeps a backup whole, and a restored thread what it was. */
export const guardsOfBackups: Guard[] = [
  {
    name: 'a backup whose lines are not those of its digest restores nothing',
    file: 'libs/service/src/backups/line-reader.ts',
    find: 'line.lines !== before || line.sha256 !== sha256',
    replace: 'line.lines !== before',
    test: { file: threads, name: 'altered anywhere' },
  },
  {
    name: 'bytes of an output are those of its row',
    file: 'libs/service/src/backups/arriving-blobs.ts',
    find: " || sha256.digest('hex') !== expected.sha256",
    replace: '',
    test: { file: threads, name: 'with other bytes of an output' },
  },
  {
    name: 'bytes of a backup that is refused are removed',
    file: 'libs/service/src/backups/restore-thread.ts',
    find: ', blobs.discard()',
    replace: '',
    test: { file: threads, name: 'with two threads' },
  },
  {
    name: 'rows of no other table than those of a thread are restored',
    file: 'libs/service/src/backups/restored-row.ts',
    find: "if (table !== 'threads' && !restoredTables.has(table))",
    replace: "if (table === '')",
    test: { file: threads, name: 'with a table that no backup has' },
  },
  {
    name: 'media of a restored message are where its body has their mark',
    file: 'libs/service/src/backups/restored-row.ts',
    find: 'if (misplaced !== undefined)',
    replace: 'if (misplaced === null)',
    test: {
      file: threads,
      name: 'with media of a message at a place that reaches the prototype of all objects',
    },
  },
  {
    name: 'columns of restored rows are those that the database has',
    file: 'libs/store/src/backups/restore-rows.ts',
    find: 'if (unknown !== undefined)',
    replace: 'if (unknown === null)',
    test: { file: threads, name: 'with a column that is SQL' },
  },
  {
    name: 'a restored thread tells nobody what happened long ago',
    file: 'libs/store/src/backups/restore-rows.ts',
    find: "set_config('spillway.restoring', $1, true)",
    replace: "set_config('spillway.restored', $1, true)",
    test: { file: threads, name: 'tells of itself once, and not of what happened long ago' },
  },
  {
    name: 'restored outputs live as long as they had to live',
    file: 'libs/service/src/backups/restore-thread.ts',
    find: 'await prolongOutputs(query, to);',
    replace: '',
    test: { file: threads, name: 'has outputs that live as long as they had to live' },
  },
  {
    name: 'a backup of a fork has the outputs that it shares',
    file: 'libs/store/src/backups/read-backup.ts',
    find: ' OR r.id IN (SELECT u.output_id',
    replace: ' OR false AND r.id IN (SELECT u.output_id',
    test: { file: forks, name: 'has the outputs that it shared, and the same context' },
  },
  {
    name: 'a restored thread gets no output that its backup does not equal',
    file: 'libs/store/src/backups/restore-shared-outputs.ts',
    find: ' AND o.sha256 = r.sha256',
    replace: '',
    test: { file: forks, name: 'an output that is marked as shared and has another digest' },
  },
  {
    name: 'an output that a backup does not mark as shared is not shared',
    file: 'libs/service/src/backups/row-batches.ts',
    find: 'row.shared === true',
    replace: 'row.shared !== false',
    test: { file: forks, name: 'an output that its backup does not mark as shared' },
  },
  {
    name: 'a thread whose outputs are all shared is not restored twice',
    file: 'libs/store/src/backups/restore-shared-outputs.ts',
    find: 'AND NOT ($6 AND EXISTS',
    replace: 'AND NOT ($6 AND false AND EXISTS',
    test: { file: forks, name: 'the same backup under another id' },
  },
  {
    name: 'an erasure waits for the restore of a fork that uses outputs of the thread',
    file: 'libs/store/src/backups/restore-shared-outputs.ts',
    find: 'ORDER BY t.uid FOR KEY SHARE',
    replace: 'ORDER BY t.uid',
    test: { file: forks, name: 'the erasure comes second' },
  },
  {
    name: 'a restore looks again for the owner of an output after an erasure',
    file: 'libs/store/src/backups/restore-shared-outputs.ts',
    find: 'owners.join() === before',
    replace: 'owners.join() !== before',
    test: { file: forks, name: 'the erasure comes first, and gives them to another fork' },
  },
  {
    name: 'bytes of an output that is there already are not kept twice',
    file: 'libs/service/src/backups/restore-thread.ts',
    find: 'blobs.keepBut(shared)',
    replace: 'blobs.keepBut([])',
    test: {
      file: forks,
      name: 'bytes are stored once, and stay until the fork is erased after its parent',
    },
  },
  {
    name: 'a restored fork does not tell that it was forked',
    file: 'libs/store/src/backups/restore-rows.ts',
    find: '{ project_id: projectId }, [first]);',
    replace: '{ project_id: projectId }, [row]);',
    test: { file: forks, name: 'tells of itself as a restored thread does, and of no fork' },
  },
  {
    name: 'a file of a project that was altered restores nothing',
    file: 'libs/cli/src/backup/backup-file.ts',
    find: "end.sha256 !== hash.digest('hex') || ",
    replace: '',
    test: { file: projects, name: 'of a file that is cut off or altered is refused, and restores nothing' },
  },
];
