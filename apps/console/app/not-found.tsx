import { IconMapQuestion } from '@tabler/icons-react';
import Link from 'next/link';
import { Empty } from '@/ui/empty';

export default function NotFound() {
  return (
    <Empty icon={IconMapQuestion} title="There is no such page">
      Go to the <Link href="/threads">threads</Link>.
    </Empty>
  );
}
