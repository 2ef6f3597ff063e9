import type { ListedOutput, OutputRow, StagedOutput, UploadedOutput } from '@spillway/service';

/** To a client an output is available, expired or damaged. The steps of its removal are internal. */
export const outputState = (state: string): 'ready' | 'expired' | 'corrupt' =>
  state === 'ready' || state === 'corrupt' ? state : 'expired';

type Row = OutputRow | ListedOutput;

/** When a sweep removes an output. What is pinned stays, and what is gone is gone. */
function expiresAt(row: Row | StagedOutput): string | null {
  const stays = 'pinned' in row && row.pinned;
  return stays || outputState(row.state) === 'expired' ? null : (row.expiresAt?.toISOString() ?? null);
}

/** An output as a message refers to it. */
export const outputRef = (row: Row | StagedOutput) => ({
  id: row.id,
  state: outputState(row.state),
  bytes: Number(row.bytes),
  lines: row.lines,
  tokens: row.tokens,
  content_type: row.contentType,
  kind: row.kind,
  expires_at: expiresAt(row),
});

/** An output in API form. */
export const outputView = (row: Row, threadId: string) => ({
  ...outputRef(row),
  thread_id: threadId,
  seq: row.seq,
  tool: row.tool,
  tool_call_id: row.toolCallId,
  sha256: row.sha256,
  pinned: row.pinned,
  created_at: row.createdAt.toISOString(),
  deleted_at: row.deletedAt?.toISOString() ?? null,
});

/** An uploaded output whose message has not been posted yet. */
export const uploadView = (row: UploadedOutput, threadId: string) => ({
  id: row.id,
  thread_id: threadId,
  seq: null,
  tool: row.tool,
  tool_call_id: row.toolCallId,
  state: 'staging' as const,
  bytes: row.bytes,
  lines: row.lines,
  tokens: row.tokens,
  content_type: row.contentType,
  kind: row.kind,
  sha256: row.sha256,
  pinned: false,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  deleted_at: null,
});
