import type { Query } from '../../connection/store.js';

const today = `date_trunc('day', now(), 'UTC')`;

/** What a key may take today, and took as far as it was written. */
export interface KeySpentToday {
  name: string;
  /** Null: any number. */
  maxTokens: number | null;
  tokens: number;
  /** Until midnight UTC, by the database's clock. */
  msLeft: number;
}

/**
 * The budget of a key and the input and output tokens that model calls of agents took with it since midnight UTC, with
 * its thread tokens and sessions. Undefined when the project has no such key.
 */
export async function keySpentToday(
  query: Query,
  projectId: string,
  keyId: string,
): Promise<KeySpentToday | undefined> {
  const rows = await query<KeySpentToday>(
    {
      name: 'key-spent-today',
      text: `SELECT k.name, k.max_chat_tokens_per_day::float8 AS "maxTokens", coalesce(d.chat_tokens, 0)::float8 AS tokens,
          extract(epoch FROM ${today} + interval '1 day' - now())::float8 * 1000 AS "msLeft"
        FROM api_keys k LEFT JOIN key_usage_days d ON d.project_id = $1 AND d.day = ${today} AND d.key_id = k.id
        WHERE k.project_id = $1 AND k.id = $2`,
    },
    [projectId, keyId],
  );
  return rows[0];
}

/** The tokens that these keys took today, as far as they were written; a key that took none is left out. */
export async function chatTokensOfKeys(
  query: Query,
  projectId: string,
  keyIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ keyId: string; tokens: number }>(
    {
      name: 'chat-tokens-of-keys',
      text: `SELECT key_id AS "keyId", chat_tokens::float8 AS tokens FROM key_usage_days
        WHERE project_id = $1 AND day = ${today} AND key_id = ANY($2::uuid[])`,
    },
    [projectId, keyIds],
  );
  return new Map(rows.map(({ keyId, tokens }) => [keyId, tokens]));
}

export interface SpentKey {
  name: string;
  maxTokens: number;
  spentTokens: number;
  /** All such keys of the project. */
  count: number;
}

/**
 * Live keys whose budget of today is spent, the first few by name. One that allows nothing is none of them: nobody has to
 * look at it.
 */
export const spentKeys = (query: Query, projectId: string, limit: number): Promise<SpentKey[]> =>
  query<SpentKey>(
    {
      name: 'spent-keys',
      text: `SELECT k.name, k.max_chat_tokens_per_day::float8 AS "maxTokens", d.chat_tokens::float8 AS "spentTokens",
          count(*) OVER ()::int AS count
        FROM key_usage_days d JOIN api_keys k ON k.project_id = $1 AND k.id = d.key_id
        WHERE d.project_id = $1 AND d.day = ${today} AND d.chat_tokens >= k.max_chat_tokens_per_day
          AND k.max_chat_tokens_per_day > 0 AND k.revoked_at IS NULL
          AND (k.expires_at IS NULL OR k.expires_at > now())
        ORDER BY k.name, k.id LIMIT $2`,
    },
    [projectId, limit],
  );

/** Deletes what keys took on days that began more than `keepMs` ago. */
export const forgetKeyUsage = (query: Query, projectId: string, keepMs: number) =>
  query(
    {
      name: 'forget-key-usage',
      text: `DELETE FROM key_usage_days WHERE project_id = $1 AND day < now() - $2::bigint * interval '1 ms'`,
    },
    [projectId, keepMs],
  );
