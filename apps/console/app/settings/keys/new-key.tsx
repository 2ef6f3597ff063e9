'use client';

import { Button } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { ShownOnce } from '@/ui/access/shown-once';
import { useApiAddress } from '@/ui/frame/api-address';
import { CopyBox } from '@/ui/copy-box';
import classes from '../settings.module.css';
import own from './keys.module.css';

/** The new key, shown once, with a sample request. */
export function NewKey({ made, onDone }: { made: Schemas['KeyCreated']; onDone: () => void }) {
  const apiAddress = useApiAddress();
  const curl = curlWith(made, apiAddress);
  return (
    <>
      <p style={{ marginTop: 0 }}>
        <b>Copy it now: it is shown only once.</b> Only its hash is stored.
      </p>
      <ShownOnce secret={made.key} label="Copy the key" />
      <p className={own.caption}>A request with it, to the API at {apiAddress}:</p>
      <CopyBox text={curl} label="Copy the command">
        <pre tabIndex={0}>{curl}</pre>
      </CopyBox>
      <div className={classes.buttons}>
        <Button onClick={onDone}>I have copied it</Button>
      </div>
    </>
  );
}

/** A request that the key's scopes allow. */
function curlWith({ key, scopes }: Schemas['KeyCreated'], apiAddress: string): string {
  const head = [`export SPILLWAY_URL=${apiAddress}`, `export SPILLWAY_KEY=${key}`, ''];
  const authorization = `-H "Authorization: Bearer $SPILLWAY_KEY"`;
  if (scopes.includes('admin') || scopes.includes('messages:write')) {
    return [
      ...head,
      `curl "$SPILLWAY_URL/v1/threads/hello/messages" \\`,
      `  ${authorization} -H "Content-Type: application/json" \\`,
      `  -d '{"messages":[{"role":"user","content":"Hello"}]}'`,
    ].join('\n');
  }
  const path = scopes.includes('context:read') ? '/v1/threads' : '/v1/sessions/current';
  return [...head, `curl "$SPILLWAY_URL${path}" ${authorization}`].join('\n');
}
