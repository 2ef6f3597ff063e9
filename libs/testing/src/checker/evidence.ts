import type { JournalEntry } from '../journal.js';
import { readBlobs, type FoundBlob } from './blobs.js';
import { readRows, type Rows } from './rows.js';

/** All that a run left behind. Reading it changes nothing. */
export interface Evidence extends Rows {
  /** One list a client, each in the order in which things happened to it. */
  journals: readonly (readonly JournalEntry[])[];
  blobs: Map<string, FoundBlob>;
  /** Files that are no blobs: what a write left behind. */
  leftovers: string[];
  /** How many calls the summary model got; null: no model was asked. */
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
