import {
  formats,
  SpillwayError,
  type Body,
  type FormatName,
  type Holds,
  type Stored,
} from '@spillway/engine';
import { findInlineOriginals, findOutputsOfMessages, type OutputRow, type ThreadRow } from '@spillway/store';
import { readOriginal, readWholeOutput } from './read-output.js';
import type { Runtime } from '../runtime.js';

/**
 * Posted contents that are in the rows of their outputs, by the id of the output: those from before such contents were
 * stored as blobs.
 */
export const inlineOriginals = (
  rt: Runtime,
  projectId: string,
  outputs: ReadonlyMap<number, OutputRow[]>,
) => {
  const older = [...outputs.values()]
    .flat()
    .filter((row) => row.originalKey === null && row.state === 'ready');
  return findInlineOriginals(
    rt.store,
    projectId,
    older.map((row) => row.id),
  );
};

/** The message as posted; with its stub when the bytes are gone or damaged. */
export async function postedContent(
  rt: Runtime,
  { format, body: stub }: Stored,
  outputs: readonly OutputRow[],
  inline: ReadonlyMap<string, string>,
  uploads: 'stub' | 'whole' = 'stub',
): Promise<{ format: FormatName; body: Body; outputs: OutputRow[] }> {
  const shown: OutputRow[] = [];
  const contents = formats[format].resultContents(stub);
  const originals = new Map<number, unknown>();
  for (const output of outputs) {
    // The posted content of an upload is its stub.
    const isStub = output.stubHash !== null && uploads === 'stub';
    const found =
      output.state === 'ready' && !isStub
        ? await originalContent(rt, format, output, contents[output.place], inline)
        : undefined;
    if (found) originals.set(output.place, found.content);
    shown.push(found || isStub || output.state !== 'ready' ? output : { ...output, state: 'corrupt' });
  }
  const body = originals.size > 0 ? formats[format].withResultContents(stub, originals) : stub;
  return { format, body, outputs: shown };
}

async function originalContent(
  rt: Runtime,
  format: FormatName,
  output: OutputRow,
  inPlaceOf: unknown,
  inline: ReadonlyMap<string, string>,
): Promise<{ content: unknown } | undefined> {
  const own = inline.get(output.id);
  if (own !== undefined) return { content: JSON.parse(own) as unknown };
  try {
    if (output.originalKey !== null) return { content: await readOriginal(rt, output) };
    return { content: formats[format].asResultContent(await readWholeOutput(rt, output), inPlaceOf) };
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'output_gone') return undefined;
    throw error;
  }
}

/**
 * Puts the whole outputs into the bodies of messages that are kept with them. Where storage does not answer, the
 * message keeps its stub: a context never waits for it.
 */
export async function withWholeOutputs(
  rt: Runtime,
  { projectId, uid }: ThreadRow,
  holds: Holds | undefined,
  bodies: Map<number, Stored>,
): Promise<void> {
  const seqs = (holds?.whole ?? []).map(([seq]) => seq).filter((seq) => bodies.has(seq));
  if (seqs.length === 0) return;
  try {
    const rows = await findOutputsOfMessages(rt.store, { projectId, threadUid: uid }, seqs);
    const outputs = Map.groupBy(rows, (output) => output.seq!);
    const inline = await inlineOriginals(rt, projectId, outputs);
    for (const [seq, own] of outputs) {
      const { format, body } = await postedContent(rt, bodies.get(seq)!, own, inline, 'whole');
      bodies.set(seq, { format, body });
    }
  } catch (error) {
    rt.log.warn({ err: error, thread: uid }, 'a kept output could not be read; its stub is shown');
  }
}
