'use client';

import Link from 'next/link';
import { useParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { decodedSegment } from '@/app/decoded-segment';

interface Props {
  outputId: string;
  line?: number | undefined;
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** Leads from the page of a thread to an output. It names the thread, since a fork shares the outputs of its origin. */
export function OutputLink({ outputId, line, children, ...rest }: Props) {
  const { id } = useParams<{ id: string }>();
  const query = new URLSearchParams({ ...(line && { line: String(line) }), thread: decodedSegment(id) });
  return (
    <Link href={`/outputs/${outputId}?${query}`} prefetch={false} {...rest}>
      {children}
    </Link>
  );
}
