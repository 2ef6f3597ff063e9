import { setImmediate } from 'node:timers/promises';
import type { SeqMessage } from '@spillway/engine';
import { countWithin, messageSizes, readBodies } from '@spillway/store';
import { seqMessageOf } from './entries.js';
import type { Runtime } from '../runtime.js';

/** Target size of a block, which holds at least one message. */
const blockBytes = 4 * 1024 * 1024;
const blockMessages = 200;
/** Yields to other requests after this much work. */
const turnMs = 12;

interface ThreadRange {
  projectId: string;
  threadUid: string;
  fromSeq: number;
  toSeq: number;
  /** Messages that were rewound when this one was the newest are left out. */
  asOfSeq: number;
}

/**
 * Visits every message of a range in order, outputs as their stubs. Reads block by block, so memory is bounded, and
 * pauses so that the event loop stays free.
 */
export async function scanMessages(
  rt: Runtime,
  { projectId, threadUid, fromSeq, toSeq, asOfSeq }: ThreadRange,
  look: (message: SeqMessage) => void,
): Promise<void> {
  let since = performance.now();
  for (let after = fromSeq - 1; after < toSeq;) {
    const range = { projectId, threadUid, after, before: toSeq + 1, limit: blockMessages };
    const sizes = await messageSizes(rt.store.query, range);
    if (sizes.length === 0) return;
    const block = sizes.slice(0, countWithin(sizes, blockBytes)).map(({ seq }) => seq);
    for (const row of await readBodies(rt.store.query, projectId, threadUid, block)) {
      if (row.rewoundBefore > 0 && row.rewoundBefore <= asOfSeq) continue;
      look(seqMessageOf(row));
      if (performance.now() - since < turnMs) continue;
      await setImmediate();
      since = performance.now();
    }
    after = block.at(-1)!;
  }
}
