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
  {
    name: 'an append waits for its turn no longer than for a lock',
    file: 'libs/store/src/connection/grouped.ts',
    find: 'this.refuseThoseAfter(queue, one, error);',
    replace: 'void error;',
    test: {
      file: 'test/faults/postgres/locked.test.ts',
      name: 'F82 a row that another client holds: all appends to its thread are 409 in seconds, on one connection, and others go on',
    },
  },
  {
    name: 'a folder of outputs that hangs leaves a thread to the rest of the process',
    file: 'libs/blobs/src/blob-stores/folder-calls.ts',
    find: 'const maxCalls = 3;',
    replace: 'const maxCalls = 4;',
    test: {
      file: 'test/faults/folder/hanging.test.ts',
      name: 'F81 a folder of outputs that hangs: 503 within half a minute, everything else goes on, and so do outputs afterwards',
    },
  },
  {
    name: 'a database that was made read-only is not ready',
    file: 'libs/store/src/migrations/schema-state.ts',
    find: "current_setting('transaction_read_only') = 'off'",
    replace: 'NOT pg_is_in_recovery()',
    test: {
      file: 'test/faults/postgres/settings.test.ts',
      name: 'F83 a database that an administrator, or a provider whose disk is nearly full, made read-only: /readyz is 503 until it takes writes',
    },
  },
  {
    name: 'webhooks are signed with the time of the database',
    file: 'libs/service/src/webhooks/deliver-webhook.ts',
    find: 'new Date(await databaseTime(rt.store.query))',
    replace: 'new Date()',
    test: {
      file: 'test/events/webhook-overlap.test.ts',
      name: 'a delivery is signed with the time of the database: receivers refuse one that is five minutes off',
    },
  },
];
