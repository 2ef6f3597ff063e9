import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { originalKeyOf, outputKey } from '@spillway/blobs';
import {
  formats,
  previewOf,
  readerToolNames,
  renderStub,
  textOfParts,
  type FormatName,
  type Preview,
  type ResultPart,
} from '@spillway/engine';
import { stageOutput } from '@spillway/store';
import { reached } from '../crash-point.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { columnText, contentTypes } from './output-columns.js';
import { previewRoomOf } from './preview-room.js';
import { asStorageUnavailable } from './storage-unavailable.js';
import { factsOnThread, inlineCharacters, previewOnThread } from './text-work/pool.js';
import { factsOf, type TextFacts } from './text-work/text-facts.js';

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
  const { facts, preview } = await describeText(rt, text, settings);
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
  const bytes = Buffer.from(facts.bytes.buffer, facts.bytes.byteOffset, facts.bytes.length);
  const writes = [rt.blobs.write(blobKey, bytes)];
  if (original) writes.push(rt.blobs.write(originalKeyOf(blobKey), original));
  await Promise.all(writes).catch(asStorageUnavailable(rt, projectId, 'an output could not be stored'));
  reached('output.written');
  return { output, stub: asResultContent(stub) };
}

/** What the row and the stub say of a text. A large one is read on a thread of its own. */
async function describeText(
  rt: Runtime,
  text: string,
  { policy, counter, count }: ThreadSettings,
): Promise<{ facts: TextFacts; preview: Preview }> {
  const room = previewRoomOf(policy);
  if (text.length <= inlineCharacters) return { facts: factsOf(text), preview: previewOf(text, room, count) };
  const facts = await factsOnThread(text, rt.log);
  const task = { text, room, counter: counter.choice, lines: facts.lines };
  return { facts, preview: await previewOnThread(task, count, rt.log) };
}
