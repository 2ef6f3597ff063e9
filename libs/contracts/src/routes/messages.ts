import { z } from 'zod';
import {
  messageList,
  messageQuery,
  messageWithNeighbours,
  held,
  holdRange,
  messageChange,
  messageChanged,
  messagesAppend,
  messagesAppendHeaders,
  messagesAppendQuery,
  messagesAppended,
  messagesQuery,
} from '../messages/message.js';
import { rewindHeaders, threadRewind, threadRewound } from '../messages/rewind.js';
import { searchHits, searchQuery } from '../messages/search.js';
import { wholeNumber, maxSeq } from '../text.js';
import { threadId, type Route } from './route.js';

/** Messages of a thread, and the search in them. */
export const messagesRoutes: Record<string, Route> = {
  'POST /v1/threads/{id}/messages': {
    id: 'appendMessages',
    scope: 'messages:write',
    summary: 'Record messages',
    description:
      'Records 1 to 1,000 messages in order, all or none, and offloads large tool results. The thread is ' +
      'created if it does not exist. A message with the same id and content is recorded once; other content ' +
      'under that id is refused with 409. A message from elsewhere may say when it was written (`sent_at`). Never ' +
      'waits for a compaction.',
    params: threadId,
    query: messagesAppendQuery,
    headers: messagesAppendHeaders,
    body: messagesAppend,
    example: {
      query: { format: 'openai', context: true },
      body: { messages: [{ role: 'user', content: 'Where is order 1007?' }] },
    },
    answers: { 201: messagesAppended, 200: messagesAppended },
  },
  'GET /v1/threads/{id}/messages': {
    id: 'listMessages',
    scope: 'context:read',
    content: true,
    summary: 'Messages by seq; without the scope outputs:read offloaded outputs stay stubs',
    description:
      'Returns messages in the order of their seq, exactly as they were posted or as the context shows ' +
      'them. Rewound and summarized messages are included. Without the scope `outputs:read`, offloaded ' +
      'outputs stay stubs.',
    params: threadId,
    query: messagesQuery,
    example: { query: { after: 0, limit: 100, view: 'original' } },
    answers: { 200: messageList },
  },
  'GET /v1/threads/{id}/messages/{seq}': {
    id: 'getMessage',
    scope: 'context:read',
    content: true,
    summary: 'One message whole, with its neighbours; without the scope outputs:read outputs stay stubs',
    description:
      'Returns one message whole, with up to 20 messages before and after it. Neighbours beyond 1 MiB in ' +
      'all are left out. Without the scope `outputs:read`, offloaded outputs stay stubs.',
    params: z.object({
      id: threadId.shape.id,
      seq: wholeNumber(1, maxSeq).describe('The message, by its seq.'),
    }),
    query: messageQuery,
    example: { query: { around: 2 } },
    answers: { 200: messageWithNeighbours },
  },
  'POST /v1/threads/{id}/rewind': {
    id: 'rewindThread',
    scope: 'messages:write',
    summary: 'Take the messages after a seq out of the context; they stay readable',
    description:
      'Takes the messages after `to_seq` out of the context, for an agent that edits its history. They stay ' +
      'readable, and the next message gets the next seq. A summary that covers one of them gives way to an ' +
      'older one. With an `Idempotency-Key` a retry rewinds once.',
    params: threadId,
    headers: rewindHeaders,
    body: threadRewind,
    example: { body: { to_seq: 1 } },
    answers: { 200: threadRewound },
  },
  'PATCH /v1/threads/{id}/messages/{seq}': {
    id: 'changeMessage',
    scope: 'messages:write',
    summary: 'Pin or unpin a message; one that a summary covers has the summary made again',
    description:
      'Pins or unpins a recorded message. A message that no summary covers changes at once; for a covered ' +
      'one the summary is made again from the original messages, and the active one is served until then. What ' +
      'a caller wrote in a summary of its own stays.',
    params: z.object({
      id: threadId.shape.id,
      seq: wholeNumber(1, maxSeq).describe('The message, by its seq.'),
    }),
    body: messageChange,
    example: { body: { pinned: true } },
    answers: { 200: messageChanged },
  },
  'POST /v1/threads/{id}/messages/keep': {
    id: 'keepMessages',
    scope: 'messages:write',
    summary:
      'Keep messages beside the next summaries, each with its call and results; contexts change with the next fold',
    description:
      'Keeps up to 200 messages beside the next summaries, each with its call and results. Contexts do not ' +
      'change before the next fold. Kept messages may take a quarter of the limit together.',
    params: threadId,
    body: holdRange,
    example: { body: { from_seq: 1, to_seq: 1 } },
    answers: { 200: held },
  },
  'POST /v1/threads/{id}/messages/release': {
    id: 'releaseMessages',
    scope: 'messages:write',
    summary: 'Keep messages no longer; their tool results become one line with the next fold',
    description:
      'Keeps up to 200 messages no longer. Their tool results become one line with the next fold; contexts ' +
      'do not change before it.',
    params: threadId,
    body: holdRange,
    example: { body: { from_seq: 1, to_seq: 1 } },
    answers: { 200: held },
  },
  'DELETE /v1/threads/{id}/messages/{seq}': {
    id: 'eraseMessage',
    scope: 'threads:manage',
    summary: 'Erase what a message says, and every summary made from it; its seq stays',
    description:
      'Erases the content of a message: its body, its outputs and every summary made from it. Its seq, role ' +
      'and call ids stay, so that the messages around it stay valid. Doing it again changes nothing; it ' +
      'cannot be undone.',
    params: z.object({
      id: threadId.shape.id,
      seq: wholeNumber(1, maxSeq).describe('The message, by its seq.'),
    }),
    answers: { 204: null },
  },
  'GET /v1/threads/{id}/search': {
    id: 'searchThread',
    scope: 'context:read',
    cost: 'search',
    content: true,
    summary:
      'Search all messages, summarized ones too; with the scope outputs:read offloaded outputs as well',
    description:
      'Searches every message of the thread, summarized ones too, and with the scope `outputs:read` the ' +
      'offloaded outputs. The best hits come first, each with the text that matched. Rewound messages are ' +
      'left out. A project runs two searches at a time.',
    params: threadId,
    query: searchQuery,
    example: { query: { q: 'refund "order 1007"', role: 'tool', limit: 5 } },
    answers: { 200: searchHits },
  },
};
