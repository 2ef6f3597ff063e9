import { IconFileOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { Empty } from '@/ui/messages/empty';
import { Page } from '@/ui/page';
import { bytes, plural } from '@/ui/quantity';
import { exactTime } from '@/ui/exact-time';
import { OutputHeader } from './output-header';

/** What remains of a removed output: never a bare 404. */
export function Tombstone({ output }: { output: Schemas['Output'] }) {
  const damaged = output.state === 'corrupt';
  return (
    <Page head={<OutputHeader output={output} />}>
      <Empty icon={IconFileOff} title={damaged ? 'This output is damaged' : 'This output expired'}>
        {damaged ? (
          <p>The stored bytes are damaged, so they are not served.</p>
        ) : (
          <p>
            Its content was deleted{output.deleted_at && <> on {exactTime(output.deleted_at)}</>}, as its
            policy says.
          </p>
        )}
        <p>
          It held {plural(output.lines, 'line')} and {bytes(output.bytes)}. The message keeps its stub, and
          the SHA-256 above tells whether a copy is the same.
        </p>
      </Empty>
    </Page>
  );
}
