import Link from 'next/link';
import { threadPath } from '@/app/threads/thread-path';

interface Props {
  threadId: string;
  generation: number;
}

/** Leads to a summary that waits for an approval. */
export const ReviewLink = ({ threadId, generation }: Props) => (
  <Link
    href={`${threadPath(threadId)}?tab=summaries&gen=${generation}`}
    className="inline"
    prefetch={false}
    aria-label={`Review generation ${generation} of ${threadId}`}
  >
    Review generation {generation}
  </Link>
);
