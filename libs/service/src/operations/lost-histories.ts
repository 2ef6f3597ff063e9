import { historyCallsOfDay, type ConcernRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** A program that trims its history makes as many within minutes; a few calls may be of a person who tries something. */
const minNotFound = 10;

/** Programs whose conversations are found lose one now and then, as when a thread is erased. */
const maxShare = 0.5;

/** That most calls with a history were found in no thread, as one concern: their callers change what they send. */
export async function lostHistoryConcerns(rt: Runtime, projectId: string): Promise<ConcernRow[]> {
  const { calls, notFound } = await historyCallsOfDay(rt.store.query, projectId);
  if (notFound < minNotFound || notFound <= calls * maxShare) return [];
  const reason = `${notFound} of ${calls} calls that had an answer in their history`;
  return [{ kind: 'history_not_found', reason, count: notFound, threads: [] }];
}
