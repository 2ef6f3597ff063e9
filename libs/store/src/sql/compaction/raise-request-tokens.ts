import type { Query } from '../../connection/store.js';

export interface RequestTokens {
  projectId: string;
  uid: string;
  /** Tokens that a request for a context brought beside the messages. */
  tokens: number;
}

/**
 * Stores what a request brought when it is more than any before, until the thread's own settings change. The live tokens
 * follow when the thread is weighed again. Returns whether it was more.
 */
export async function raiseRequestTokens(
  query: Query,
  { projectId, uid, tokens }: RequestTokens,
): Promise<boolean> {
  const rows = await query(
    {
      name: 'raise-request-tokens',
      text: `UPDATE threads SET request_tokens = $3::int, weighed_version = 0, policy_version = policy_version + 1
        WHERE project_id = $1 AND uid = $2 AND request_tokens < $3::int AND deleted_at IS NULL RETURNING uid`,
    },
    [projectId, uid, tokens],
  );
  return rows.length === 1;
}
