import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { indexLines } from '@spillway/blobs';
import { renderStub, SpillwayError, type Body, type Message } from '@spillway/engine';
import { stageOutput } from '@spillway/store';
import type { Runtime } from './runtime.js';
import type { ThreadSettings } from './settings.js';

export interface StagedOutput {
  id: string;
  state: 'ready';
  bytes: number;
  lines: number;
  tokens: number;
  contentType: string;
  kind: string;
  expiresAt: Date;
}

export interface Offloaded {
  output: StagedOutput;
  /** The message with the stub in place of its content. */
  body: Body;
}

/**
 * Moves the content of a tool result to storage: row first, then the bytes, durable before this returns. The
 * append of the message makes it readable; until then it is staging, and swept if that never happens.
 */
export async function offloadOutput(
  rt: Runtime,
  projectId: string,
  posted: { body: Body; message: Message; tokens: number; tool: string | null },
  settings: ThreadSettings,
): Promise<Offloaded> {
  const { outputs } = settings.policy;
  const { body, message } = posted;
  const bytes = Buffer.from(message.text, 'utf8');
  const index = indexLines(bytes);
  const id = `out_${randomBytes(16).toString('hex')}`;
  const now = new Date();
  const output: StagedOutput = {
    id,
    state: 'ready',
    bytes: bytes.length,
    lines: index.lines,
    tokens: posted.tokens,
    contentType: 'text/plain; charset=utf-8',
    kind: 'text',
    expiresAt: new Date(now.getTime() + outputs.ttl_ms),
  };
  const blobKey = `${projectId}/${now.toISOString().slice(0, 7)}/${randomUUID()}`;
  await stageOutput(rt.store, {
    ...output,
    projectId,
    blobKey,
    lineIndex: index.marks,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    original: isWholeText(body) ? null : JSON.stringify(body.content),
    tool: clean(posted.tool),
    toolCallId: clean(message.answers),
  });
  try {
    await rt.blobs.write(blobKey, bytes);
  } catch (error) {
    rt.log.error({ err: error, projectId }, 'an output could not be stored');
    throw new SpillwayError(
      'storage_unavailable',
      'The output store does not take writes; try again.',
      undefined,
      {
        cause: error,
      },
    );
  }
  const stub = renderStub({ ...output, text: message.text }, outputs, settings.count);
  return { output, body: { ...body, content: stub } };
}

/** Can the blob's text alone give the content back? Not for content parts, nor for text that UTF-8 can't hold. */
const isWholeText = (body: Body): boolean => typeof body.content === 'string' && body.content.isWellFormed();

/** Ids and names come from outside; the columns that show them hold plain text. */
const clean = (text: string | null): string | null =>
  text?.replaceAll('\0', '').toWellFormed().slice(0, 500) ?? null;
