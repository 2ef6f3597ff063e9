'use client';

import { Button, Group } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { ShownOnce } from '@/ui/access/shown-once';
import { exactTime } from '@/ui/exact-time';

interface Props {
  issued: Schemas['ThreadTokenCreated'];
  onDone: () => void;
}

/** The new token, shown once, with what it is good for. */
export function NewToken({ issued, onDone }: Props) {
  return (
    <>
      <p style={{ marginTop: 0 }}>
        <b>Copy it now: it is shown only once.</b> Only its hash is stored.
      </p>
      <ShownOnce secret={issued.token} label="Copy the token" />
      <p>
        It opens <b className="mono">{issued.thread_id}</b> with {issued.scopes.join(', ')}, and no other
        thread, until {exactTime(issued.expires_at)}. Send it as a key: <code>Authorization: Bearer</code>.
      </p>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </>
  );
}
