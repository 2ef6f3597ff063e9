import type { Guard } from './guard.js';
import { stores } from './guards-of-statements.js';

/** Of the statements and the queue that record messages. */
export const guardsOfAppends: Guard[] = [
  {
    name: 'an append under a policy that is no longer in force writes nothing',
    file: 'libs/store/src/sql/messages/appended-to.ts',
    find: ' AND ${t}.policy_version = ${a.policyVersion}',
    replace: ' AND ${a.policyVersion} IS NOT NULL',
    test: stores,
  },
  {
    name: 'an erased thread takes no message',
    file: 'libs/store/src/sql/messages/appended-to.ts',
    find: 'where: `${t}.deleted_at IS NULL AND ',
    replace: 'where: `',
    test: stores,
  },
  {
    name: 'a group of appends looks its client ids up',
    file: 'libs/store/src/sql/messages/append-group.ts',
    find: 'm.client_id = p.client_id',
    replace: 'm.client_id = p.client_id AND false',
    test: stores,
  },
  {
    name: 'a group of appends writes nothing under settings that are no longer in force',
    file: 'libs/store/src/sql/messages/append-group.ts',
    find: 'WHERE a.settings_version = (SELECT settings_version FROM projects WHERE id = $1::uuid)',
    replace: 'WHERE a.settings_version IS NOT NULL',
    test: stores,
  },
  {
    name: 'a group of appends does not wait for a locked thread',
    file: 'libs/store/src/sql/messages/append-group.ts',
    find: ' SKIP LOCKED',
    replace: '',
    test: {
      file: 'test/messages/append-queue.test.ts',
      name: 'a locked thread of a group is asked again by itself, while the others have their answer',
    },
  },
  {
    name: 'a place that is taken by a locked thread is not waited for',
    file: 'libs/store/src/connection/grouped.ts',
    find: 'this.send(name, queue, queue.statements + 1);',
    replace: 'this.send(name, queue, statementsAtOnce);',
    test: {
      file: 'test/messages/append-queue.test.ts',
      name: 'threads that somebody has locked hold up nobody else',
    },
  },
  {
    name: 'an append that is refused takes no other one with it',
    file: 'libs/store/src/connection/grouped.ts',
    find: 'if (isRefusal(error))',
    replace: 'if (error === null)',
    test: {
      file: 'test/messages/append-queue.test.ts',
      name: 'what is refused, known or out of date is its own affair: the rest of its group is recorded',
    },
  },
  {
    name: 'a group of appends whose answer is lost is not sent again',
    file: 'libs/store/src/connection/grouped.ts',
    find: 'if (isRefusal(error))',
    replace: 'if (error !== null)',
    test: {
      file: 'test/messages/append-queue.test.ts',
      name: 'after an outage nothing is sent again: nobody knows whether it was written',
    },
  },
];
