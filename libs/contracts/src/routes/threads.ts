import { chatReply, chatTurn } from '../messages/chat.js';
import { context } from '../messages/context.js';
import { contextBody, contextQuery } from '../messages/context-options.js';
import { exportQuery } from '../threads/export.js';
import { threadFork } from '../threads/fork.js';
import { mapQuery, threadMap } from '../threads/map.js';
import { projectSearch, projectSearchQuery } from '../threads/project-search.js';
import { thread, threadCreate, threadPatch, threadPut } from '../threads/thread.js';
import { threadCounts, threadCountsQuery, threadList, threadQuery } from '../threads/thread-list.js';
import { none, threadId, type Route } from './route.js';

/** Threads and their contexts. */
export const threadsRoutes: Record<string, Route> = {
  'POST /v1/threads': {
    id: 'createThread',
    scope: 'messages:write',
    summary: 'Create a thread',
    description:
      'Creates an empty thread. The same request again answers 200 with the thread; an id that belongs to a ' +
      'thread with other settings is refused with 409. Posting messages to an unknown id also creates a ' +
      "thread, with the project's defaults.",
    body: threadCreate,
    example: {
      body: {
        id: 'support-42',
        model: 'gpt-4o',
        metadata: { user: '42' },
        system: 'You are a support agent.',
      },
    },
    answers: { 201: thread, 200: thread },
  },
  'GET /v1/threads': {
    id: 'listThreads',
    scope: 'context:read',
    summary: 'List threads',
    description:
      'Lists the threads that match every filter, most recently used first unless `sort` says otherwise. ' +
      'System prompts and tools are left out.',
    query: threadQuery,
    example: { query: { state: 'parked,backoff', sort: 'fill', limit: 20 } },
    answers: { 200: threadList },
  },
  // Not under /v1/threads: any segment there is a thread's id.
  'GET /v1/thread-counts': {
    id: 'countThreads',
    scope: 'context:read',
    summary: 'How many threads there are, by state and model',
    description:
      'Counts threads by state and by model, with the filters of the list. Costs less than listing them.',
    query: threadCountsQuery,
    example: { query: { updated_after: '2026-11-01T00:00:00Z' } },
    answers: { 200: threadCounts },
  },
  'GET /v1/search': {
    id: 'searchProject',
    scope: 'context:read',
    cost: 'search',
    content: true,
    summary: 'Find the threads in which these words were said',
    description:
      'Searches the messages of all threads, summarized ones too, and lists each thread in which one message, or a ' +
      'call with its result, has all of the words. Threads come in the order of their creation, the newest first. ' +
      'A page ends when it is full or after about 1.5 s of search, even without a thread in it: `next_cursor` goes ' +
      'on until it is null. Offloaded outputs are searched by the search of their thread. A project runs two ' +
      'searches at a time.',
    query: projectSearchQuery,
    example: { query: { q: '"order 1007"', role: 'user', limit: 5 } },
    answers: { 200: projectSearch },
  },
  'GET /v1/threads/{id}': {
    id: 'getThread',
    scope: 'context:read',
    content: true,
    summary: 'One thread',
    description:
      'Returns settings, token counts, the budget and the state of the compaction. Messages are read with ' +
      'their own route. An erased thread is not found.',
    params: threadId,
    query: none,
    answers: { 200: thread },
  },
  'PUT /v1/threads/{id}': {
    id: 'putThread',
    scope: 'messages:write',
    summary: 'Create a thread with these settings, or give them to the thread with this id',
    description:
      'Creates the thread, or changes the settings that the body names and keeps the others. Settings that ' +
      'the thread already has change nothing, so an agent can send it at every start. Changing the policy ' +
      'of an existing thread needs the scope `threads:manage`.',
    params: threadId,
    body: threadPut,
    example: { body: { model: 'gpt-4o', system: 'You are a support agent.', format: 'openai' } },
    answers: { 201: thread, 200: thread },
  },
  'PATCH /v1/threads/{id}': {
    id: 'changeThread',
    scope: 'threads:manage',
    summary:
      'Change model, metadata, policy or system prompt; with If-Match, only if the policy is the version it names',
    description:
      'Changes the settings that the body names and keeps the others. A new trigger applies at once; ' +
      'recorded messages are never changed. With `If-Match`, another version of the policy is refused with ' +
      '412.',
    params: threadId,
    body: threadPatch,
    example: { body: { metadata: { user: '42' }, policy: { context: { trigger_ratio: 0.7 } } } },
    answers: { 200: thread },
  },
  'DELETE /v1/threads/{id}': {
    id: 'eraseThread',
    scope: 'threads:manage',
    summary: 'Erase a thread: messages, summaries, outputs',
    description:
      'Erases the content of a thread. Its outputs become unreadable at once, and the next sweep removes ' +
      'their bytes. Its id stays, without anything else, so that it cannot be used again; events and deliveries to ' +
      'webhooks name it for days. So ids should not name persons. This cannot be undone.',
    params: threadId,
    answers: { 204: null },
  },
  'POST /v1/threads/{id}/fork': {
    id: 'forkThread',
    scope: 'messages:write',
    cost: 'heavy',
    summary: 'Make a thread with the messages of this one up to a seq; this one stays as it is',
    description:
      'Makes a thread with the messages of this one up to `at`, its settings, and the summary that ends there ' +
      'or before: its context is what this one would show after a rewind to `at`. Large outputs and media are ' +
      'shared and stay when either thread is erased. With an `id` a retry answers 200 with the same fork.',
    params: threadId,
    body: threadFork,
    example: { body: { at: 1, id: 'support-42-retry' } },
    answers: { 201: thread, 200: thread },
  },
  'GET /v1/threads/{id}/context': {
    id: 'getContext',
    scope: 'context:read',
    content: true,
    summary: 'The context to send to the model',
    description:
      'Returns the messages to send to the model: pinned system messages, the summary and the newest ' +
      'messages. They always fit the limit, and every call has its result. Between compactions the answer ' +
      'grows only at its end. Never waits for a compaction unless `wait` asks for it.',
    params: threadId,
    query: contextQuery,
    example: { query: { format: 'openai', max_tokens: 8000 } },
    answers: { 200: context, 304: null },
  },
  'POST /v1/threads/{id}/context': {
    id: 'postContext',
    scope: 'context:read',
    content: true,
    summary: 'The same, asked for in a body: for a system prompt that is longer than an address may be',
    description:
      'Returns the same context as `GET`, with its options in a JSON body. Use it for a system prompt that ' +
      'is longer than a URL may be. It never answers 304.',
    params: threadId,
    body: contextBody,
    example: { body: { format: 'anthropic', max_tokens: 8000, system: 'You are a support agent.' } },
    answers: { 200: context },
  },
  'POST /v1/threads/{id}/chat': {
    id: 'chat',
    scope: 'messages:write',
    // The model is sent the whole context, and the caller may ask it to repeat it.
    alsoScope: 'context:read',
    summary: 'Say something, get the model to answer, and have both recorded',
    description:
      "Runs one turn: records the user's message, calls the server's model with the context, and records " +
      "the answer. When the model fails, the user's message stays recorded, and a call without `content` " +
      'resumes there. For people and programs without a model SDK.',
    params: threadId,
    body: chatTurn,
    example: { body: { content: 'Where is order 1007?' } },
    answers: { 200: chatReply },
  },
  'GET /v1/threads/{id}/map': {
    id: 'mapThread',
    scope: 'context:read',
    summary: 'Where the tokens of a thread are, and which generation stands for what',
    description:
      'Divides the thread into at most `buckets` ranges and returns the tokens of each, with every summary ' +
      'generation. Its cost does not grow with the size of the messages, which it does not read.',
    params: threadId,
    query: mapQuery,
    example: { query: { buckets: 50 } },
    answers: { 200: threadMap },
  },
  'GET /v1/threads/{id}/export': {
    id: 'exportThread',
    scope: 'context:read',
    cost: 'heavy',
    content: true,
    summary:
      'A whole thread as a file: every message as it was posted (without the scope outputs:read with stubs for outputs), then the summaries',
    description:
      'Streams a whole thread as a file, as JSON lines or Markdown: every message as it was posted, every ' +
      'summary and every standing instruction. Without the scope `outputs:read` outputs are stubs.',
    params: threadId,
    query: exportQuery,
    example: { query: { format: 'markdown' } },
    answers: { 200: ['application/x-ndjson', 'text/markdown'] },
  },
};
