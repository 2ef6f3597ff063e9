import { asService } from '../connection/scope.js';
import type { Query } from '../connection/store.js';

/**
 * The keys of the index `api_keys_of_admins`. An expired one counts as long as nobody revokes it: a key that replaced it
 * expires later.
 */
const adminKeys = `api_keys k WHERE k.revoked_at IS NULL AND 'admin' = ANY(k.scopes)`;

/** All of them expire, and the last one within $1 milliseconds, or before now. */
const ends = `bool_and(k.expires_at IS NOT NULL) AND max(k.expires_at) < now() + $1::float8 * interval '1 ms'`;

export interface LastAdminKey {
  expiresAt: Date;
  hasExpired: boolean;
}

/** When a project loses its last admin key, or lost it. Undefined where one lasts longer than `withinMs`, or none ever was. */
export async function lastAdminKey(
  query: Query,
  projectId: string,
  withinMs: number,
): Promise<LastAdminKey | undefined> {
  const rows = await query<LastAdminKey>(
    {
      name: 'last-admin-key',
      text: `SELECT max(k.expires_at) AS "expiresAt", max(k.expires_at) <= now() AS "hasExpired"
        FROM ${adminKeys} AND k.project_id = $2 HAVING ${ends}`,
    },
    [withinMs, projectId],
  );
  return rows[0];
}

/** Projects that lose their last admin key within `withinMs`, and those that lost it; without suspended and erased ones. */
export const countLastAdminKeys = (
  query: Query,
  withinMs: number,
): Promise<{ expiring: number; expired: number }> =>
  asService(async () => {
    const rows = await query<{ expiring: number; expired: number }>(
      {
        name: 'count-last-admin-keys',
        text: `WITH ending AS (
            SELECT k.project_id, max(k.expires_at) <= now() AS expired FROM ${adminKeys}
            GROUP BY k.project_id HAVING ${ends})
          SELECT count(*) FILTER (WHERE NOT expired)::int AS expiring, count(*) FILTER (WHERE expired)::int AS expired
          FROM ending JOIN projects p ON p.id = ending.project_id WHERE p.erased_at IS NULL AND p.suspended_at IS NULL`,
      },
      [withinMs],
    );
    return rows[0]!;
  });
