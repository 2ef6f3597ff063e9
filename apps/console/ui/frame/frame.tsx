'use client';

import { useDisclosure } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { usePathname, useRouter } from 'next/navigation';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTypedBefore } from '@/app/threads/[id]/instructions/kept-text';
import classes from './frame.module.css';
import { announceSignIn, useSignInElsewhere } from '../access/sign-in-elsewhere';
import { Nav } from './nav';
import { Palette } from '../palette/palette';
import { useRememberThread } from '../palette/recent-threads';
import { pages, titleOf } from './pages';
import { useFocusInView } from './use-focus-in-view';
import { useKeptFocus } from './use-kept-focus';
import { ShortcutSheet } from '../shortcuts/shortcut-sheet';
import { useKeyHandler } from '../shortcuts/use-key-handler';
import { useShortcuts } from '../shortcuts/use-shortcuts';

/** Navigation, palette and shortcuts around every page but the one to sign in. */
export function Frame({ children }: { children: ReactNode }) {
  const path = usePathname();
  const isSignIn = path === '/login';
  const [hadSession, setHadSession] = useState(!isSignIn);
  if (!isSignIn && !hadSession) setHadSession(true);
  const [beganWithSignIn] = useState(isSignIn);
  useEffect(() => {
    if (beganWithSignIn && hadSession) announceSignIn();
  }, [beganWithSignIn, hadSession]);
  return (
    <>
      {/* Titles of Next's metadata arrive after their page: until then a tab has none. */}
      <title>{titleOf(path)}</title>
      {isSignIn && hadSession ? (
        <LoadAnew />
      ) : isSignIn ? (
        <main className={classes.alone}>{children}</main>
      ) : (
        <SignedIn path={path}>{children}</SignedIn>
      )}
    </>
  );
}

/**
 * A session may end on a link, which leads to the sign-in page within the same document. The next person to sign in
 * there may be another one, of another project: what was read, drafted or is being saved is dropped with the document.
 */
function LoadAnew() {
  useEffect(() => window.location.reload(), []);
  return null;
}

function SignedIn({ path, children }: { path: string; children: ReactNode }) {
  const router = useRouter();
  const [sheet, { open, close }] = useDisclosure(false);
  const content = useRef<HTMLElement>(null);
  useKeptFocus(content);
  useFocusInView(content);
  useRememberThread();
  useSignInElsewhere();
  useTypedBefore();
  useKeyHandler();
  useShortcuts('Everywhere', [
    { keys: 'Ctrl/⌘+K', does: 'Go to or do anything' },
    { keys: '?', does: 'This sheet', run: open },
    ...pages.map(({ key, label, href }) => ({
      keys: `g ${key}`,
      does: `Go to ${label.toLowerCase()}`,
      run: () => router.push(href),
    })),
  ]);
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Nav path={path} onPalette={spotlight.open} onShortcuts={open} />
      <main ref={content} id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Palette onShortcuts={open} />
      <ShortcutSheet opened={sheet} onClose={close} />
    </div>
  );
}
