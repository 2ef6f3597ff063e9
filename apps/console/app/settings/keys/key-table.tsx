'use client';

import type { Schemas } from '@spillway/client';
import table from '@/ui/lists/table.module.css';
import { TimeAgo, useNow } from '@/ui/time-ago';
import classes from '../settings.module.css';
import own from './keys.module.css';
import { ChangeKey } from './change-key';
import { RevokeKey } from './revoke-key';
import { TokensToday } from './tokens-today';

type Key = Schemas['Key'];
const none = <span className="dim">—</span>;

export function KeyTable({ keys, ownKeyId }: { keys: Key[]; ownKeyId: string }) {
  const now = useNow();
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="API keys">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Name</th>
            <th>Starts with</th>
            <th>Scopes</th>
            <th>Created</th>
            <th>Last used</th>
            <th className={table.right}>Model tokens today</th>
            <th>Expires</th>
            <th>State</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const state = stateOf(key, now);
            return (
              <tr key={key.id} id={key.id} tabIndex={-1}>
                <td style={{ fontWeight: 500 }}>
                  {key.name} {key.id === ownKeyId && <span className={classes.chip}>yours</span>}
                </td>
                <td className="mono">{key.prefix}…</td>
                <td>
                  <span className={classes.chips}>
                    {key.scopes.map((scope) => (
                      <span key={scope} className={classes.chip}>
                        {scope}
                      </span>
                    ))}
                  </span>
                </td>
                <td className="dim">
                  <TimeAgo at={key.created_at} />
                </td>
                <td className="dim">{key.last_used_at ? <TimeAgo at={key.last_used_at} /> : 'never'}</td>
                <td className={table.right}>
                  <TokensToday of={key} />
                </td>
                <td className="dim">{key.expires_at ? <TimeAgo at={key.expires_at} /> : none}</td>
                <td>
                  <span className={classes.chip} data-tone={state === 'live' ? 'good' : 'bad'}>
                    {state}
                  </span>
                </td>
                <td className={`${table.right} ${table.action}`}>
                  {state === 'live' && (
                    <span className={own.actions}>
                      <ChangeKey of={key} />
                      <RevokeKey of={key} isOwn={key.id === ownKeyId} />
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** `now` is 0 on the server, where nothing has expired yet: its clock must not end up in the markup. */
function stateOf(key: Key, now: number): 'live' | 'revoked' | 'expired' {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && Date.parse(key.expires_at) <= now ? 'expired' : 'live';
}
