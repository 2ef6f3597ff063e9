import type { JournalEntry } from '../journal.js';
import { readBlobs, type FoundBlob } from './blobs.js';
import { readRows, type Rows } from './rows.js';

/** Everything that a run left behind. Reading it changes nothing. */
export interface Evidence extends Rows {
  /** One list per client, in the order of its requests and answers. */
  journals: readonly (readonly JournalEntry[])[];
  blobs: Map<string, FoundBlob>;
  /** Unfinished files, which are not blobs. */
  leftovers: string[];
  /** Calls of the summary model; null without a model. */
  modelCalls: number | null;
}

export interface RunToCheck {
  databaseUrl: string;
  outputsFolder: string;
  journals: readonly (readonly JournalEntry[])[];
  modelCalls?: number | null;
}

export async function gatherEvidence(run: RunToCheck): Promise<Evidence> {
  const rows = await readRows(run.databaseUrl);
  const { blobs, leftovers } = await readBlobs(run.outputsFolder);
  return { ...rows, journals: run.journals, blobs, leftovers, modelCalls: run.modelCalls ?? null };
}
