'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import classes from '../settings.module.css';
import { allKeys } from './all-keys';
import { CreateKey } from './create-key';
import { KeyTable } from './key-table';

/** Keys of the project, revoked and expired ones too. */
export function KeysView({ first, ownKeyId }: { first: Schemas['KeyList']; ownKeyId: string }) {
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) =>
      allKeys((cursor) => dataOf(browserApi.GET('/v1/keys', { params: { query: { cursor } }, signal }))),
    initialData: first,
    // The server has read one page.
    ...(first.next_cursor === null ? {} : { initialDataUpdatedAt: 0 }),
  });
  return (
    <div className={classes.section}>
      <div className={classes.toolbar}>
        <p className={classes.lead} style={{ margin: 0 }}>
          A key gives access to this project within its scopes. Only its hash is stored.
        </p>
        <div className={classes.push}>
          <CreateKey />
        </div>
      </div>
      <KeyTable keys={keys.data.data} ownKeyId={ownKeyId} />
    </div>
  );
}
