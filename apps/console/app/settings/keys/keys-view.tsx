'use client';

import type { Schemas } from '@spillway/client';
import classes from '../settings.module.css';
import { CreateKey } from './create-key';
import { KeyTable } from './key-table';
import { useAllKeys } from './use-all-keys';

/** Keys of the project, revoked and expired ones too. */
export function KeysView({ first, ownKeyId }: { first: Schemas['KeyList']; ownKeyId: string }) {
  const keys = useAllKeys(first);
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
      <KeyTable keys={keys} ownKeyId={ownKeyId} />
    </div>
  );
}
