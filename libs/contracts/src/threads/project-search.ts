import { z } from 'zod';
import { listOf } from '../list.js';
import { searchHit, searchQuery } from '../messages/search.js';
import { position, whole } from '../quantities.js';
import { timestamp } from '../text.js';
import { threadConditions } from './thread-list.js';

const { model, metadata, created_after, created_before, updated_after, updated_before } = threadConditions;

export const projectSearchQuery = z.strictObject({
  q: searchQuery.shape.q,
  role: searchQuery.shape.role,
  model,
  metadata,
  created_after,
  created_before,
  updated_after,
  updated_before,
  limit: searchQuery.shape.limit.describe('Threads of a page at most. Default: 20.'),
  cursor: searchQuery.shape.cursor,
});

const { seq, role, participant, snippet } = searchHit.shape;

export const foundThread = z
  .object({
    id: z.string().describe('The thread.'),
    model: z.string().nullable().describe('Its model.'),
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it last changed.'),
    last_seq: position.describe('Its newest message.'),
    hits: z
      .array(z.object({ seq, role, participant, snippet }))
      .describe('Its best messages with all words, three at most.'),
    more: z
      .boolean()
      .describe('It may have further ones: the search of the thread lists all, and its outputs as well.'),
  })
  .meta({ id: 'FoundThread' });

export const projectSearch = listOf(foundThread, 'FoundThreadList').extend({
  searched: z
    .object({
      threads: whole.describe('How many threads this page went through.'),
      created_after: timestamp
        .nullable()
        .describe('All threads that were created after this time are searched by now; null when all are.'),
    })
    .describe('How far the search came.'),
});
