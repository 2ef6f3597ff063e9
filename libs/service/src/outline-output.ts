import { buffer } from 'node:stream/consumers';
import { outlineOf, type OutlineItem, type OutputKind } from '@spillway/engine';
import { openOutput, readBytes } from './read-output.js';
import type { Runtime } from './runtime.js';

/** An outline is made of the start of an output, up to here; what comes after is reached by lines and grep. */
const mostBytes = 4 * 1024 * 1024;

/** What an output holds, with line numbers. Throws `output_not_found`, `output_gone`. */
export async function outlineOutput(
  rt: Runtime,
  projectId: string,
  id: string,
): Promise<{ kind: string; items: OutlineItem[]; truncated: boolean }> {
  const output = await openOutput(rt, projectId, id);
  const end = Math.min(Number(output.bytes), mostBytes);
  if (end === 0) return { kind: output.kind, items: [], truncated: false };
  const text = (await buffer(await readBytes(rt, output, { start: 0, end }))).toString('utf8');
  const items = outlineOf(text, output.kind as OutputKind);
  return { kind: output.kind, items, truncated: end < Number(output.bytes) };
}
