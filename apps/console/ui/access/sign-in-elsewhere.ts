'use client';

import { useEffect } from 'react';

const name = 'spillway.signed-in-at';

/** Tells the other tabs of this browser that somebody has signed in: all have one session. */
export const announceSignIn = (): void => window.localStorage.setItem(name, String(Date.now()));

/**
 * Loads this tab anew when somebody signs in in another one. It does not ask about what is unsaved here: with the new
 * session that might be saved into another project.
 */
export function useSignInElsewhere(): void {
  useEffect(() => {
    const loadAnew = ({ key }: StorageEvent) => {
      if (key !== name) return;
      window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
      window.location.reload();
    };
    window.addEventListener('storage', loadAnew);
    return () => window.removeEventListener('storage', loadAnew);
  }, []);
}
