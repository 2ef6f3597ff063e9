import {
  listProjectOutputs as readOutputs,
  positionOfOutput,
  type ListedOutput,
  type OutputListing,
  type OutputOrder,
} from '@spillway/store';
import { z } from 'zod';
import { pageOf, type Page } from '../paging/cursor.js';
import { countUpTo, readKeyset, time, writeKeyset, type KeysetShape } from '../paging/keyset-cursor.js';
import type { Runtime } from '../runtime.js';

export interface ProjectOutputsQuery extends Omit<OutputListing, 'order' | 'after' | 'limit'> {
  order?: OutputOrder;
  limit?: number;
  cursor?: string;
}

const values: Record<OutputOrder, KeysetShape['value']> = {
  newest: time,
  biggest: countUpTo(Number.MAX_SAFE_INTEGER),
  expiring: time,
};

/** Outputs of all threads of a project, newest first by default. */
export async function listProjectOutputs(
  rt: Runtime,
  query: ProjectOutputsQuery,
): Promise<Page<ListedOutput>> {
  const { cursor, limit = 50, order = 'newest', ...filter } = query;
  const name = `outputs.${order}`;
  const after = readKeyset(cursor, { order: name, value: values[order], id: outputId });
  const rows = await readOutputs(rt.store.query, { ...filter, order, after, limit: limit + 1 });
  return pageOf(rows, limit, (last) => writeKeyset(name, positionOfOutput(last, order)));
}

const outputId = z.string().regex(/^out_[0-9a-f]{32}$/);
