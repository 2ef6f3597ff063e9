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
import { outputsQuery } from '../outputs/output.js';
import { clientId, wholeNumber } from '../text.js';
import { thread } from '../threads/thread.js';
import { threadId, type Route } from './route.js';

const generationParams = z.object({ id: clientId, generation: wholeNumber(1, 2_147_483_647) });

/** Compactions of a thread and requests for them. */
export const compactionRoutes: Record<string, Route> = {
  'POST /v1/threads/{id}/compactions': {
    id: 'requestCompaction',
    scope: 'threads:manage',
    summary: 'Compact now',
    params: threadId,
    body: compactionRequest,
    answers: { 200: compactionResult, 202: compactionResult },
  },
  'POST /v1/threads/{id}/compactions/preview': {
    id: 'previewCompaction',
    scope: 'context:read',
    cost: 'heavy',
    summary: 'What a compaction would do now; changes nothing',
    params: threadId,
    body: compactionPreviewRequest,
    answers: { 200: compactionPreview },
  },
  'GET /v1/threads/{id}/compactions': {
    id: 'listCompactions',
    scope: 'context:read',
    summary: 'Compaction attempts, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: attemptList },
  },
  'POST /v1/threads/{id}/retry': {
    id: 'retryThread',
    scope: 'threads:manage',
    summary: 'Unpark a thread',
    params: threadId,
    answers: { 200: thread },
  },
  'POST /v1/threads/{id}/rebuild': {
    id: 'rebuildThread',
    scope: 'threads:manage',
    summary: 'Make the summary again from the original messages, in a new chain',
    params: threadId,
    answers: { 202: compactionResult },
  },
  'GET /v1/threads/{id}/summaries': {
    id: 'listSummaries',
    scope: 'context:read',
    content: true,
    summary: 'Summary generations, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: summaryList },
  },
  'POST /v1/threads/{id}/summaries': {
    id: 'writeSummary',
    scope: 'threads:manage',
    cost: 'heavy',
    summary:
      'Put your own summary in place; checked as any other. A compaction in progress gives way. Without the scope context:read its text is left out',
    params: threadId,
    body: writtenSummary,
    answers: { 200: restoredSummary, 201: restoredSummary },
  },
  'GET /v1/threads/{id}/summaries/{generation}': {
    id: 'getSummary',
    scope: 'context:read',
    content: true,
    summary: 'One generation',
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
    params: generationParams,
    query: factsQuery,
    answers: { 200: summaryFacts },
  },
  'DELETE /v1/threads/{id}/summaries/{generation}': {
    id: 'undoSummary',
    scope: 'threads:manage',
    summary:
      'Undo the newest fold: what was active before is active again. Not folded again until the thread has grown',
    params: generationParams,
    answers: { 200: undoneSummary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/approve': {
    id: 'approveSummary',
    scope: 'threads:manage',
    summary: 'Approve a proposed summary: a worker puts it in place as it is',
    params: generationParams,
    answers: { 202: decidedSummary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/reject': {
    id: 'rejectSummary',
    scope: 'threads:manage',
    summary: 'Reject a proposed summary: it is void, and the thread gets another once it has grown',
    params: generationParams,
    answers: { 200: decidedSummary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/quarantine': {
    id: 'quarantineSummary',
    scope: 'threads:manage',
    summary:
      'Withdraw a generation and all that were made from it; the summary is made again from the messages',
    params: generationParams,
    answers: { 202: compactionResult },
  },
  'POST /v1/threads/{id}/summaries/{generation}/restore': {
    id: 'restoreSummary',
    scope: 'threads:manage',
    summary:
      'Make an older generation the active summary, in a new chain; without the scope context:read its text is left out',
    params: generationParams,
    answers: { 200: restoredSummary },
  },
};
