import { IconFileOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { Empty } from '@/ui/messages/empty';
import { Page } from '@/ui/page';
import { bytes, plural } from '@/ui/quantity';
import { exactTime } from '@/ui/exact-time';
import { OutputHeader } from './output-header';

/** What remains of a removed output: never a bare 404. */
export function Tombstone({ output }: { output: Schemas['Output'] }) {
  const end = endOf(output);
  return (
    <Page head={<OutputHeader output={output} />}>
      <Empty icon={IconFileOff} title={`This output ${end}`}>
        {end === 'is damaged' && <p>The stored bytes are damaged, so they are not served.</p>}
        {end === 'expired' && (
          <p>
            Its content was deleted{output.deleted_at && <> on {exactTime(output.deleted_at)}</>}, as its
            policy says.
          </p>
        )}
        {end === 'was erased' ? (
          <p>It was erased with its message or its thread. The audit log shows who erased it.</p>
        ) : (
          <p>
            It held {plural(output.lines, 'line')} and {bytes(output.bytes)}. The message keeps its stub, and
            the SHA-256 above tells whether a copy is the same.
          </p>
        )}
      </Empty>
    </Page>
  );
}

/** An erasure removes the hash too: it would prove what the content was. */
const endOf = ({ state, sha256 }: Schemas['Output']) =>
  state === 'corrupt' ? 'is damaged' : sha256 === '' ? 'was erased' : 'expired';
