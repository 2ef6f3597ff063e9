'use client';

import { IconGhost2 } from '@tabler/icons-react';
import Link from 'next/link';
import { Empty } from '@/ui/messages/empty';

/** What there is to say about an id that no thread has. */
export const NoThread = ({ id }: { id: string }) => (
  <Empty icon={IconGhost2} title="There is no such thread">
    <p>
      <code className="mono">{id}</code> was never made in this project, or it was erased: then its messages,
      summaries and outputs are gone for good. The audit log has who erased what.
    </p>
    <Link href="/threads">All threads</Link>
  </Empty>
);
