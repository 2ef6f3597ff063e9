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
      'The console ran into a defect of its own. No data is affected. Try again; when it comes back, look for the id below in the log of the console.',
    code: 'console_error',
    request_id: digestOf(error),
  };
  return <ProblemPanel problem={problem} onRetry={retry} />;
}

/** What the server's log calls a failure that happened there. */
const digestOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : '';
