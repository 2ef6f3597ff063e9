'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import classes from './frame.module.css';
import { Nav } from './nav';

/** Navigation beside every page but the one to sign in. */
export function Frame({ children }: { children: ReactNode }) {
  const path = usePathname();
  if (path === '/login') return <main className={classes.alone}>{children}</main>;
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Nav path={path} />
      <main id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
