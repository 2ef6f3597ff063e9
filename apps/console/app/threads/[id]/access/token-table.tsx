'use client';

import type { Schemas } from '@spillway/client';
import settings from '@/app/settings/settings.module.css';
import { useSession } from '@/ui/access/use-session';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from './access.module.css';
import { RevokeToken } from './revoke-token';

interface Props {
  threadId: string;
  tokens: Schemas['ThreadToken'][];
}

export function TokenTable({ threadId, tokens }: Props) {
  const ownKey = useSession()?.key.id;
  return (
    <table className={`${table.table} ${classes.tokens}`}>
      <thead>
        <tr>
          <th>Token</th>
          <th>Scopes</th>
          <th>Ends</th>
          <th>Issued</th>
          <th>By the key</th>
          <th aria-label="Actions" />
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td className="mono" title={token.id}>
              {token.id.slice(0, 8)}
            </td>
            <td>
              <span className={classes.scopes}>
                {token.scopes.map((scope) => (
                  <span key={scope} className={settings.chip}>
                    {scope}
                  </span>
                ))}
              </span>
            </td>
            <td className="dim">
              <TimeAgo at={token.expires_at} />
            </td>
            <td className="dim">
              <TimeAgo at={token.created_at} />
            </td>
            <td>
              {token.key_id === ownKey ? (
                <span className={settings.chip}>yours</span>
              ) : (
                <bdi className={classes.key} title={`${token.key_name} (${token.key_id})`}>
                  {token.key_name}
                </bdi>
              )}
            </td>
            <td className={`${table.right} ${table.action}`}>
              <RevokeToken threadId={threadId} token={token} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
