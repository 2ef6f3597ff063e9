import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { originalKeyOf, outputKey } from '@spillway/blobs';
import {
  formats,
  previewOf,
  readerToolNames,
  renderStub,
  SpillwayError,
  textOfParts,
  type FormatName,
  type ResultPart,
} from '@spillway/engine';
import { stageOutput } from '@spillway/store';
import { reached } from '../crash-point.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { columnText, contentTypes } from './output-columns.js';
import { inlineCharacters, previewOnThread, runOnThread } from './text-work/pool.js';
import { factsOf } from './text-work/text-facts.js';

export interface StagedOutput {
  id: string;
  state: 'ready';
  bytes: number;
  lines: number;
  tokens: number;
  contentType: string;
  kind: string;
  expiresAt: Date;
  /** Index of the tool result within the message, from 0. */
  place: number;
  tool: string | null;
  toolCallId: string | null;
}

export interface OffloadedResult {
  output: StagedOutput;
  /** The content of the result from now on. */
  stub: unknown;
}

export interface PostedResult {
  format: FormatName;
  result: ResultPart;
  /** The content as posted. */
  content: unknown;
  place: number;
  tokens: number;
  tool: string | null;
}

/**
 * Moves the content of a tool result to storage: row first, then the bytes, durable before this returns. The append of
 * the message makes the output readable. Until then it is staging, and is swept if that never happens.
 */
export async function offloadOutput(
  rt: Runtime,
  to: { projectId: string; threadUid: string },
  { format, result, content, place, tokens, tool }: PostedResult,
  settings: ThreadSettings,
): Promise<OffloadedResult> {
  const { projectId } = to;
  const { outputs } = settings.policy;
  const asResultContent = (replacement: string) => formats[format].asResultContent(replacement, content);
  const text = textOfParts(result.parts);
  const isLarge = text.length > inlineCharacters;
  const facts = isLarge ? await runOnThread('readFacts', { text }).catch(() => factsOf(text)) : factsOf(text);
  const room = {
    tokens: outputs.preview_tokens,
    headLines: outputs.head_lines,
    tailLines: outputs.tail_lines,
  };
  const counter = settings.counter.choice;
  const preview = isLarge
    ? await previewOnThread({ text, room, counter, lines: facts.lines }, settings.count, rt.log)
    : previewOf(text, room, settings.count);
  const described = {
    id: `out_${randomBytes(16).toString('hex')}`,
    state: 'ready' as const,
    bytes: facts.bytes.length,
    lines: facts.lines,
    tokens,
    contentType: contentTypes[preview.kind],
    kind: preview.kind,
    place,
    tool: columnText(tool),
    toolCallId: columnText(result.callId),
  };
  const stub = renderStub(described, preview, readerToolNames(outputs.tool_names));
  const blobKey = outputKey(projectId, to.threadUid);
  // Whether the blob's text alone can restore the content. Not for content parts, nor for text that UTF-8 cannot
  // represent.
  const isWholeText = text.isWellFormed() && isDeepStrictEqual(asResultContent(text), content);
  const original = isWholeText ? null : Buffer.from(JSON.stringify(content), 'utf8');
  const { expiresAt } = await stageOutput(rt.store.query, {
    ...described,
    ttlMs: outputs.ttl_ms,
    projectId,
    blobKey,
    lineIndex: facts.marks,
    linesPerMark: facts.linesPerMark,
    chunkHashes: Buffer.from(facts.chunkHashes),
    sha256: facts.sha256,
    original: original && {
      key: originalKeyOf(blobKey),
      bytes: original.length,
      sha256: createHash('sha256').update(original).digest('hex'),
    },
    upload: null,
  });
  const output: StagedOutput = { ...described, expiresAt };
  reached('output.staged');
  const writes = [
    rt.blobs.write(blobKey, Buffer.from(facts.bytes.buffer, facts.bytes.byteOffset, facts.bytes.length)),
  ];
  if (original) writes.push(rt.blobs.write(originalKeyOf(blobKey), original));
  await Promise.all(writes).catch((error: unknown) => {
    rt.log.error({ err: error, projectId }, 'an output could not be stored');
    const why = 'The output store is not writable. Retry.';
    throw new SpillwayError('storage_unavailable', why, undefined, { cause: error });
  });
  reached('output.written');
  return { output, stub: asResultContent(stub) };
}
