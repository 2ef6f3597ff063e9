import { createHash, randomBytes } from 'node:crypto';
import { outputKey, type ArrivedBlob } from '@spillway/blobs';
import { readerToolNames, renderStub, SpillwayError } from '@spillway/engine';
import { isStaged, stageOutput } from '@spillway/store';
import { reached } from '../../crash-point.js';
import { getThread } from '../../threads/get-thread.js';
import { columnText, contentTypes } from '../output-columns.js';
import { asStorageUnavailable } from '../storage-unavailable.js';
import type { Runtime } from '../../runtime.js';
import { describeUpload } from './describe-upload.js';
import { ReceivedText } from './received-text.js';

export interface UploadInput {
  projectId: string;
  threadId: string;
  tool: string | null;
  toolCallId: string | null;
}

export interface UploadedOutput {
  id: string;
  bytes: number;
  lines: number;
  tokens: number;
  contentType: string;
  kind: string;
  sha256: string;
  tool: string | null;
  toolCallId: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Stores the bytes of a tool result as they arrive, keeping only their ends in memory, and returns the stub for the
 * client to post as the result. Until that message is recorded the output is staging: it is unreadable, and is swept
 * after an hour. The row is written after the last byte and before the blob, so neither exists alone. Throws
 * `thread_not_found`, `thread_erased`, `storage_unavailable`, and what the source of the bytes throws.
 */
export async function uploadOutput(
  rt: Runtime,
  { projectId, threadId, tool, toolCallId }: UploadInput,
  source: AsyncIterable<Buffer>,
): Promise<{ output: UploadedOutput; stub: string }> {
  const thread = await getThread(rt, projectId, threadId);
  const settings = await rt.settings.ofRow(thread);
  const blobKey = outputKey(projectId, thread.uid);
  const received = new ReceivedText(settings.counter.choice);
  const blob = await rt.blobs
    .writeStream(blobKey, received.passOn(source))
    .catch(asStorageUnavailable(rt, projectId, 'an upload could not be stored'));
  try {
    if (received.size === 0)
      throw new SpillwayError('invalid_request', 'The body is empty: send the output.');
    const facts = received.facts();
    const { preview, tokens } = await describeUpload(received, facts.lines, settings, rt.log);
    const described = {
      id: `out_${randomBytes(16).toString('hex')}`,
      bytes: received.size,
      lines: facts.lines,
      tokens,
      contentType: contentTypes[preview.kind],
      kind: preview.kind,
      tool: columnText(tool),
      toolCallId: columnText(toolCallId),
    };
    const stub = renderStub(described, preview, readerToolNames(settings.policy.outputs.tool_names));
    const times = await stageOutput(rt.store.query, {
      ...described,
      projectId,
      blobKey,
      sha256: facts.sha256,
      lineIndex: facts.marks,
      linesPerMark: facts.linesPerMark,
      chunkHashes: facts.chunkHashes,
      original: null,
      place: 0,
      ttlMs: settings.policy.outputs.ttl_ms,
      upload: { threadUid: thread.uid, stubHash: stubHash(stub) },
    });
    reached('output.staged');
    await blob.publish().catch(asStorageUnavailable(rt, projectId, 'an upload could not be stored'));
    reached('output.written');
    await refuseErased(rt, projectId, described.id, blobKey);
    return { output: { ...described, sha256: facts.sha256, ...times }, stub };
  } catch (error) {
    await discard(rt, blob);
    throw error;
  }
}

export const stubHash = (stub: string): Buffer => createHash('sha256').update(stub).digest();

/** A thread may be erased during its upload: then its bytes are removed as well. */
async function refuseErased(rt: Runtime, projectId: string, id: string, blobKey: string): Promise<void> {
  if (await isStaged(rt.store.query, projectId, id)) return;
  await rt.blobs.remove(blobKey);
  throw new SpillwayError('thread_erased', 'This thread was erased.');
}

/** The storage sweep retries a failed removal. */
async function discard(rt: Runtime, blob: ArrivedBlob): Promise<void> {
  await blob.discard().catch((error: unknown) => {
    rt.log.error({ err: error }, 'the bytes of a refused upload could not be removed');
  });
}
