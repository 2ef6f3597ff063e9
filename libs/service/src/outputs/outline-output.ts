import { buffer } from 'node:stream/consumers';
import { outlineOf, SpillwayError, type OutlineItem, type OutputKind } from '@spillway/engine';
import { openOutput, readBytes } from './read-output.js';
import type { Runtime } from '../runtime.js';
import { inlineCharacters, runOnThread } from './text-work/pool.js';

/** An outline covers the start of an output up to this size; lines and grep reach the rest. */
const maxBytes = 4 * 1024 * 1024;

/** The structure of an output, with line numbers. Throws `output_not_found`, `output_gone`. */
export async function outlineOutput(
  rt: Runtime,
  projectId: string,
  id: string,
): Promise<{ kind: string; items: OutlineItem[]; truncated: boolean }> {
  const output = await openOutput(rt, projectId, id);
  const end = Math.min(Number(output.bytes), maxBytes);
  if (end === 0) return { kind: output.kind, items: [], truncated: false };
  const bytes = await buffer(await readBytes(rt, output, { start: 0, end }));
  const kind = output.kind as OutputKind;
  const items =
    end <= inlineCharacters
      ? outlineOf(bytes.toString('utf8'), kind)
      : await runOnThread('makeOutline', { bytes, kind }).catch((error: unknown) => {
          rt.log.warn({ err: error, output: id }, 'an outline failed');
          throw new SpillwayError('overloaded', 'The outline timed out. Retry shortly.');
        });
  return { kind: output.kind, items, truncated: end < Number(output.bytes) };
}
