'use client';

import { useEffect } from 'react';

/**
 * A link from another site comes without the SameSite=Strict cookie, so somebody who is signed in lands here too.
 * From this page the cookie is sent: if it is good, they go where the link led.
 */
export function AlreadySignedIn({ target }: { target: string }) {
  useEffect(() => {
    const stop = new AbortController();
    fetch('/session', { signal: stop.signal })
      .then((answer) => answer.json())
      .then((body: { signed_in?: boolean }) => {
        if (body.signed_in) window.location.replace(target);
      })
      .catch(() => undefined);
    return () => stop.abort();
  }, [target]);
  return null;
}
