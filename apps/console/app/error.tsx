'use client';

import { useEffect } from 'react';
import { ProblemPanel } from '@/ui/messages/problem-panel';

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error]);
  const problem = {
    type: 'about:blank',
    title: 'This page failed',
    status: 500,
    detail:
      'The console failed. No data is affected. Retry; if it fails again, look for the id below in the log of the console.',
    code: 'console_error',
    request_id: digestOf(error),
  };
  return <ProblemPanel problem={problem} onRetry={retry} />;
}

/** The id of a server error in the server's log. */
const digestOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : '';
