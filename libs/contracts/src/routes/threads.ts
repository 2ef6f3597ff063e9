import { z } from 'zod';
import { chatReply, chatTurn } from '../messages/chat.js';
import { context } from '../messages/context.js';
import { contextBody, contextQuery } from '../messages/context-options.js';
import { exportQuery } from '../threads/export.js';
import { mapQuery, threadMap } from '../threads/map.js';
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
import { clientId, wholeNumber } from '../text.js';
import { thread, threadCreate, threadPatch, threadPut } from '../threads/thread.js';
import { threadCounts, threadCountsQuery, threadList, threadQuery } from '../threads/thread-list.js';
import { none, threadId, type Route } from './route.js';

/** Threads, their messages and contexts. */
export const threadsRoutes: Record<string, Route> = {
  'POST /v1/threads': {
    id: 'createThread',
    scope: 'messages:write',
    summary: 'Create a thread',
    body: threadCreate,
    answers: { 201: thread, 200: thread },
  },
  'GET /v1/threads': {
    id: 'listThreads',
    scope: 'context:read',
    summary: 'List threads',
    query: threadQuery,
    answers: { 200: threadList },
  },
  // Not under /v1/threads: any segment there is a thread's id.
  'GET /v1/thread-counts': {
    id: 'countThreads',
    scope: 'context:read',
    summary: 'How many threads there are, by state and model',
    query: threadCountsQuery,
    answers: { 200: threadCounts },
  },
  'GET /v1/threads/{id}': {
    id: 'getThread',
    scope: 'context:read',
    content: true,
    summary: 'One thread',
    params: threadId,
    query: none,
    answers: { 200: thread },
  },
  'PUT /v1/threads/{id}': {
    id: 'putThread',
    scope: 'messages:write',
    summary: 'Create a thread with these settings, or give them to the thread with this id',
    params: threadId,
    body: threadPut,
    answers: { 201: thread, 200: thread },
  },
  'PATCH /v1/threads/{id}': {
    id: 'changeThread',
    scope: 'threads:manage',
    summary:
      'Change model, metadata, policy or system prompt; with If-Match, only if the policy is the version it names',
    params: threadId,
    body: threadPatch,
    answers: { 200: thread },
  },
  'DELETE /v1/threads/{id}': {
    id: 'eraseThread',
    scope: 'threads:manage',
    summary: 'Erase a thread: messages, summaries, outputs',
    params: threadId,
    answers: { 204: null },
  },
  'POST /v1/threads/{id}/messages': {
    id: 'appendMessages',
    scope: 'messages:write',
    summary: 'Record messages',
    params: threadId,
    query: messagesAppendQuery,
    headers: messagesAppendHeaders,
    body: messagesAppend,
    answers: { 201: messagesAppended, 200: messagesAppended },
  },
  'GET /v1/threads/{id}/messages': {
    id: 'listMessages',
    scope: 'context:read',
    content: true,
    summary: 'Messages by seq; without the scope outputs:read offloaded outputs stay stubs',
    params: threadId,
    query: messagesQuery,
    answers: { 200: messageList },
  },
  'GET /v1/threads/{id}/messages/{seq}': {
    id: 'getMessage',
    scope: 'context:read',
    content: true,
    summary: 'One message whole, with its neighbours; without the scope outputs:read outputs stay stubs',
    params: z.object({ id: clientId, seq: wholeNumber(1, 2_147_483_647) }),
    query: messageQuery,
    answers: { 200: messageWithNeighbours },
  },
  'POST /v1/threads/{id}/rewind': {
    id: 'rewindThread',
    scope: 'messages:write',
    summary: 'Take the messages after a seq out of the context; they stay readable',
    params: threadId,
    headers: rewindHeaders,
    body: threadRewind,
    answers: { 200: threadRewound },
  },
  'PATCH /v1/threads/{id}/messages/{seq}': {
    id: 'changeMessage',
    scope: 'messages:write',
    summary: 'Pin or unpin a message; one that a summary covers has the summary made again',
    params: z.object({ id: clientId, seq: wholeNumber(1, 2_147_483_647) }),
    body: messageChange,
    answers: { 200: messageChanged },
  },
  'POST /v1/threads/{id}/messages/keep': {
    id: 'keepMessages',
    scope: 'messages:write',
    summary:
      'Keep messages beside the next summaries, each with its call and results; contexts change with the next fold',
    params: threadId,
    body: holdRange,
    answers: { 200: held },
  },
  'POST /v1/threads/{id}/messages/release': {
    id: 'releaseMessages',
    scope: 'messages:write',
    summary: 'Keep messages no longer; their tool results become one line with the next fold',
    params: threadId,
    body: holdRange,
    answers: { 200: held },
  },
  'DELETE /v1/threads/{id}/messages/{seq}': {
    id: 'eraseMessage',
    scope: 'threads:manage',
    summary: 'Erase what a message says, and every summary made from it; its seq stays',
    params: z.object({ id: clientId, seq: wholeNumber(1, 2_147_483_647) }),
    answers: { 204: null },
  },
  'GET /v1/threads/{id}/context': {
    id: 'getContext',
    scope: 'context:read',
    content: true,
    summary: 'The context to send to the model',
    params: threadId,
    query: contextQuery,
    answers: { 200: context, 304: null },
  },
  'POST /v1/threads/{id}/context': {
    id: 'postContext',
    scope: 'context:read',
    content: true,
    summary: 'The same, asked for in a body: for a system prompt that is longer than an address may be',
    params: threadId,
    body: contextBody,
    answers: { 200: context },
  },
  'POST /v1/threads/{id}/chat': {
    id: 'chat',
    scope: 'messages:write',
    // The model is sent the whole context, and the caller may ask it to repeat it.
    alsoScope: 'context:read',
    cost: 'heavy',
    summary: 'Say something, get the model to answer, and have both recorded',
    params: threadId,
    body: chatTurn,
    answers: { 200: chatReply },
  },
  'GET /v1/threads/{id}/map': {
    id: 'mapThread',
    scope: 'context:read',
    summary: 'Where the tokens of a thread are, and which generation stands for what',
    params: threadId,
    query: mapQuery,
    answers: { 200: threadMap },
  },
  'GET /v1/threads/{id}/export': {
    id: 'exportThread',
    scope: 'context:read',
    cost: 'heavy',
    content: true,
    summary:
      'A whole thread as a file: every message as it was posted (without the scope outputs:read with stubs for outputs), then the summaries',
    params: threadId,
    query: exportQuery,
    answers: { 200: ['application/x-ndjson', 'text/markdown'] },
  },
  'GET /v1/threads/{id}/search': {
    id: 'searchThread',
    scope: 'context:read',
    cost: 'search',
    content: true,
    summary:
      'Search all messages, summarized ones too; with the scope outputs:read offloaded outputs as well',
    params: threadId,
    query: searchQuery,
    answers: { 200: searchHits },
  },
};
