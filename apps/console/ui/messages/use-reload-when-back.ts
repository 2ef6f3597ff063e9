'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { browserApi, dataOf } from '../access/browser-api';
import { liveMs } from '../live/live-ms';
import { isTransient } from './problem';

/**
 * Reads the page again by interval once the API answers. The API is asked first: while it is down, reading the page
 * again would change nothing.
 */
export function useReloadWhenBack(wanted: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!wanted) return;
    const ask = async () => {
      if (document.visibilityState === 'visible' && (await apiAnswers())) router.refresh();
    };
    const timer = setInterval(() => void ask(), liveMs);
    return () => clearInterval(timer);
  }, [wanted, router]);
}

/** A refusal is an answer too. */
const apiAnswers = (): Promise<boolean> =>
  dataOf(browserApi.GET('/v1/sessions/current')).then(
    () => true,
    (error: unknown) => !isTransient(error),
  );
