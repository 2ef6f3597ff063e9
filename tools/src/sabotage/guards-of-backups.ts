import type { Guard } from './guard.js';

const threads = 'test/threads/backup.test.ts';
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
    find: 'discard(), blobs.discard()',
    replace: 'discard()',
    test: { file: threads, name: 'with two threads' },
  },
  {
    name: 'rows of no other table than those of a thread are restored',
    file: 'libs/service/src/backups/restore-thread.ts',
    find: 'if (!restoredTables.has(table))',
    replace: "if (table === '')",
    test: { file: threads, name: 'with a table that no backup has' },
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
    name: 'a file of a project that was altered restores nothing',
    file: 'libs/cli/src/backup/backup-file.ts',
    find: "end.sha256 !== hash.digest('hex') || ",
    replace: '',
    test: { file: projects, name: 'of a file that is cut off or altered is refused, and restores nothing' },
  },
];
