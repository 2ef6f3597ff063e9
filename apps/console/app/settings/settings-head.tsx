'use client';

import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { subpages } from '@/ui/frame/pages';
import { useChosenInView } from '@/ui/lists/use-chosen-in-view';
import classes from './settings.module.css';

const tabs = subpages.filter(({ href }) => href.startsWith('/settings/'));

/** The settings' pages, with the project's name. */
export function SettingsHead({ session }: { session: Schemas['SessionCurrent'] | null }) {
  const path = usePathname();
  const list = useChosenInView<HTMLElement>(path);
  return (
    <div className={classes.head}>
      <div className={classes.title}>
        <h1>Settings</h1>
        {session && (
          <p className={classes.who}>
            Project <b>{session.project.name}</b>, signed in with key <b>{session.key.name}</b>{' '}
            <span className="mono">{session.key.prefix}…</span>
          </p>
        )}
      </div>
      <nav ref={list} className={classes.tabs} aria-label="Settings">
        {tabs.map(({ href, label }) => (
          <Link
            key={href}
            href={href}
            prefetch={false}
            className={classes.tab}
            aria-current={path.startsWith(href) ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
