import { readModelHealth, type ModelHealthRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

export interface ModelHealth extends ModelHealthRow {
  state: 'ok' | 'failing' | 'unknown';
}

/** How long a failure is reported that no thread waits for. */
const newsMs = 600_000;

/** The health of the project's summary model, or null when the policy is extractive. */
export async function modelHealth(rt: Runtime, projectId: string): Promise<ModelHealth | null> {
  if (!rt.llm) return null;
  const row = await readModelHealth(rt.store.query, projectId);
  return { ...row, state: stateOf(row, Date.now()) };
}

/**
 * A model is failing from its first failure until it answers, or until no thread waits for it and the failure is old.
 */
export function stateOf(
  { failures, waiting, lastFailureAt, lastOkAt }: ModelHealthRow,
  now: number,
): ModelHealth['state'] {
  const isNews = lastFailureAt !== null && now - lastFailureAt.getTime() < newsMs;
  if (failures > 0 && (waiting > 0 || isNews)) return 'failing';
  return lastOkAt === null ? 'unknown' : 'ok';
}
