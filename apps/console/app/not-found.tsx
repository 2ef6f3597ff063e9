import { IconMapQuestion } from '@tabler/icons-react';
import Link from 'next/link';
import { Empty } from '@/ui/messages/empty';

export default function NotFound() {
  return (
    <Empty icon={IconMapQuestion} title="There is no such page" wholePage>
      <p>
        The URL may be wrong, or its target was erased. Go to the <Link href="/threads">threads</Link>, or
        press Ctrl K and type part of an id.
      </p>
    </Empty>
  );
}
