import {
  servedAt,
  servedThrough,
  servedWithFingerprint,
  shownSummary,
  summaryAt,
  type ThreadRow,
} from '@spillway/store';
import type { Command } from './store-commands.js';

interface Asked {
  seq: number;
  after: number;
  generation: number;
  fingerprint: string;
}

/** Reads of what contexts showed. */
export const servedReads = (
  { projectId, uid }: ThreadRow,
  { seq, after, generation, fingerprint }: Asked,
): Command[] => [
  { name: 'summary-at', run: (query) => summaryAt(query, projectId, uid, seq) },
  { name: 'shown-summary', run: (query) => shownSummary(query, projectId, uid, generation) },
  { name: 'served-at', run: (query) => servedAt(query, projectId, uid, after) },
  { name: 'served-through', run: (query) => servedThrough(query, projectId, uid, after) },
  {
    name: 'served-with-fingerprint',
    run: (query) => servedWithFingerprint(query, projectId, uid, fingerprint),
  },
];
