import { z } from 'zod';
import {
  attemptList,
  compactionRequest,
  compactionResult,
  decidedSummary,
  restoredSummary,
  summary,
  summaryList,
  undoneSummary,
  writtenSummary,
} from '../compaction/compaction.js';
import { compactionPreview, compactionPreviewRequest } from '../compaction/compaction-preview.js';
import { factsQuery, summaryFacts } from '../compaction/facts.js';
import { pagedList } from '../list.js';
import { maxSeq, wholeNumber } from '../text.js';
import { thread } from '../threads/thread.js';
import { threadId, type Route } from './route.js';

const generationParams = z.object({
  id: threadId.shape.id,
  generation: wholeNumber(1, maxSeq).describe('The number of the generation.'),
});

/** Compactions of a thread and requests for them. */
export const compactionRoutes: Record<string, Route> = {
  'POST /v1/threads/{id}/compactions': {
    id: 'requestCompaction',
    scope: 'threads:manage',
    summary: 'Compact now',
    description:
      'Requests a compaction now. Below the trigger nothing happens; `policy` can lower the trigger for ' +
      'this call. Answers 202 when the compaction is queued or still running after `wait_ms`, else 200 with ' +
      'its result.',
    params: threadId,
    body: compactionRequest,
    example: { body: { policy: { context: { trigger_ratio: 0.3 } }, wait_ms: 5000 } },
    answers: { 200: compactionResult, 202: compactionResult },
  },
  'POST /v1/threads/{id}/compactions/preview': {
    id: 'previewCompaction',
    scope: 'context:read',
    cost: 'heavy',
    summary: 'What a compaction would do now; changes nothing',
    description:
      'Returns what a compaction would do now: the range it would summarize, what stays, and the tokens ' +
      'afterwards. It uses the plan of the compaction itself, calls no model and changes nothing.',
    params: threadId,
    body: compactionPreviewRequest,
    example: { body: { policy: { context: { keep_recent_turns: 3 } } } },
    answers: { 200: compactionPreview },
  },
  'GET /v1/threads/{id}/compactions': {
    id: 'listCompactions',
    scope: 'context:read',
    summary: 'Compaction attempts, newest first',
    description:
      'Lists every attempt of a compaction, newest first, with its outcome, tokens, cost and error. An ' +
      'attempt that is in progress has no outcome.',
    params: threadId,
    query: pagedList,
    example: { query: { limit: 20 } },
    answers: { 200: attemptList },
  },
  'POST /v1/threads/{id}/retry': {
    id: 'retryThread',
    scope: 'threads:manage',
    summary: 'Unpark a thread',
    description:
      'Makes a parked thread due again, or ends the back-off of one that failed. Repeat it only after ' +
      'changing what the reason names: the thread is parked again otherwise.',
    params: threadId,
    answers: { 200: thread },
  },
  'POST /v1/threads/{id}/rebuild': {
    id: 'rebuildThread',
    scope: 'threads:manage',
    summary: 'Make the summary again from the original messages, in a new chain; what a caller wrote stays',
    description:
      'Makes the summary again from the original messages, as the first generation of a new chain. The ' +
      'active summary is served until then. What a caller wrote stays: its own summary is put in place again ' +
      'word for word, or what was folded onto it is made again from that summary and the messages after it. ' +
      'Undo, quarantine or replace it to be rid of it.',
    params: threadId,
    answers: { 202: compactionResult },
  },
  'GET /v1/threads/{id}/summaries': {
    id: 'listSummaries',
    scope: 'context:read',
    content: true,
    summary: 'Summary generations, newest first',
    description:
      'Lists the generations of every chain, newest first. One that is prepared or proposed comes before ' +
      'them. Replaced, undone and withdrawn generations stay in the list.',
    params: threadId,
    query: pagedList,
    example: { query: { limit: 20 } },
    answers: { 200: summaryList },
  },
  'POST /v1/threads/{id}/summaries': {
    id: 'writeSummary',
    scope: 'threads:manage',
    cost: 'heavy',
    summary:
      'Put your own summary in place; checked as any other. A compaction in progress gives way. Without the scope context:read its text is left out',
    description:
      'Puts a summary that you wrote in place of messages 1 to `to_seq`, in a new chain. It is checked like ' +
      'any other: its cut, its size and the messages it cites. Posting the active one again changes nothing ' +
      'and answers 200. Without the scope `context:read` the answer leaves the text out.',
    params: threadId,
    body: writtenSummary,
    example: {
      body: {
        fields: {
          task_overview: 'Find order 1007 for the customer.',
          current_state: 'The order was found.',
          important_discoveries: 'It left the warehouse on Monday.',
          next_steps: 'Tell the customer.',
          context_to_preserve: 'Order 1007.',
        },
        to_seq: 1,
        expected_generation: 0,
      },
    },
    answers: { 200: restoredSummary, 201: restoredSummary },
  },
  'GET /v1/threads/{id}/summaries/{generation}': {
    id: 'getSummary',
    scope: 'context:read',
    content: true,
    summary: 'One generation',
    description:
      'Returns one generation, whatever its state, with its text, the division of its tokens and what it ' +
      'lost of the messages it covers.',
    params: generationParams,
    answers: { 200: summary },
  },
  'GET /v1/threads/{id}/summaries/{generation}/facts': {
    id: 'checkFacts',
    scope: 'context:read',
    cost: 'heavy',
    content: true,
    summary:
      'Facts of the messages a generation stands for: kept, carried or dropped; and where it has its statements from',
    description:
      "Looks for each fact of the covered messages in the summary's text and in the messages beside it, and " +
      'names the source messages of each statement. Made by code; no model is called.',
    params: generationParams,
    query: factsQuery,
    example: { query: { state: 'dropped', kind: 'id', limit: 50 } },
    answers: { 200: summaryFacts },
  },
  'DELETE /v1/threads/{id}/summaries/{generation}': {
    id: 'undoSummary',
    scope: 'threads:manage',
    summary:
      'Undo the newest fold: what was active before is active again. Not folded again until the thread has grown',
    description:
      'Undoes the newest fold: what was active before becomes active again, as a new generation. Doing it ' +
      'again changes nothing. Any generation but the active one is refused with 409, and so is an undo ' +
      'after which the messages exceed the limit.',
    params: generationParams,
    answers: { 200: undoneSummary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/approve': {
    id: 'approveSummary',
    scope: 'threads:manage',
    summary: 'Approve a proposed summary: a worker puts it in place as it is',
    description:
      'Approves a proposed summary. A worker then puts exactly this text in place, so the answer is 202. ' +
      'Approving it again changes nothing.',
    params: generationParams,
    answers: { 202: decidedSummary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/reject': {
    id: 'rejectSummary',
    scope: 'threads:manage',
    summary: 'Reject a proposed summary: it is void, and the thread gets another once it has grown',
    description:
      'Rejects a proposed summary. Contexts stay as they are, and the thread gets another proposal once it ' +
      'has grown by a twentieth of its trigger. Rejecting it again changes nothing.',
    params: generationParams,
    answers: { 200: decidedSummary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/quarantine': {
    id: 'quarantineSummary',
    scope: 'threads:manage',
    summary:
      'Withdraw a generation and all that were made from it; the summary is made again from the messages, or a caller’s own before it is active again',
    description:
      'Withdraws a generation and every one that was folded or restored from it: no context shows them ' +
      'again. They stay readable, and the summary is made again from the original messages. A caller’s own ' +
      'summary before them that is not withdrawn is put in place again.',
    params: generationParams,
    answers: { 202: compactionResult },
  },
  'POST /v1/threads/{id}/summaries/{generation}/restore': {
    id: 'restoreSummary',
    scope: 'threads:manage',
    summary:
      'Make an older generation the active summary, in a new chain; without the scope context:read its text is left out',
    description:
      'Makes an older generation the active summary, copied as the first of a new chain. Messages that it ' +
      'does not cover are shown verbatim again, and a thread that is over its trigger then is compacted. ' +
      'Without the scope `context:read` the answer leaves the text out.',
    params: generationParams,
    answers: { 200: restoredSummary },
  },
};
