'use client';

import { useEffect } from 'react';
import { forgetLastSession } from './forget-last-session';

/**
 * A link from another site comes without the SameSite=Strict cookie, so a signed-in user lands here too. This page
 * sends the cookie: if it is valid, they continue to the link's target; otherwise the last session has ended.
 */
export function AlreadySignedIn({ target }: { target: string }) {
  useEffect(() => {
    const stop = new AbortController();
    fetch('/session', { signal: stop.signal })
      .then((answer) => answer.json())
      .then((body: { signed_in?: boolean }) => {
        if (body.signed_in) window.location.replace(target);
        else forgetLastSession();
      })
      .catch(() => undefined);
    return () => stop.abort();
  }, [target]);
  return null;
}
