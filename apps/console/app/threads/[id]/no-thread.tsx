'use client';

import { IconGhost2 } from '@tabler/icons-react';
import Link from 'next/link';
import { Empty } from '@/ui/messages/empty';

/** The page of an unknown id. */
export const NoThread = ({ id }: { id: string }) => (
  <Empty icon={IconGhost2} title="There is no such thread" wholePage>
    <p>
      <code className="mono">{id}</code> does not exist in this project, or it was erased with its messages,
      summaries and outputs. The audit log shows who erased it.
    </p>
    <Link href="/threads">All threads</Link>
  </Empty>
);
