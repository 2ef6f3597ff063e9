import { threadRestored } from '../threads/backup.js';
import { none, threadId, type Route } from './route.js';

/** Threads as they are stored, to restore them elsewhere. */
export const backupsRoutes: Record<string, Route> = {
  'GET /v1/threads/{id}/backup': {
    id: 'backUpThread',
    scope: 'admin',
    cost: 'heavy',
    content: true,
    summary: 'A whole thread as it is stored, to restore it: rows, media and the bytes of outputs',
    description:
      'Streams everything that the contexts of a thread are made of, at one moment, as JSON lines with a digest ' +
      'at their end. `PUT` the same bytes to restore it. For people and other programs there is the export.',
    params: threadId,
    query: none,
    answers: { 200: 'application/x-ndjson' },
  },
  'PUT /v1/threads/{id}/backup': {
    id: 'restoreThread',
    scope: 'admin',
    cost: 'heavy',
    streamed: true,
    summary: 'Restore a thread from its backup, under an id that is free: all of it or nothing',
    description:
      'Restores a thread from its backup. A backup that is cut off or altered is refused, and nothing of it stays. ' +
      'The id may be another one than that of the thread, and must be free.',
    params: threadId,
    example: { body: '{"type":"spillway-thread","version":1}\n' },
    answers: { 201: threadRestored },
  },
};
