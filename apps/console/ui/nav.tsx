import { UnstyledButton } from '@mantine/core';
import { IconLayoutDashboard, IconLogout, IconMessages, IconStack2 } from '@tabler/icons-react';
import Link from 'next/link';
import { signOut } from '@/app/login/sign-out';
import { Mark } from './mark';
import classes from './nav.module.css';
import { ThemeToggle } from './theme-toggle';

const places = [
  { href: '/', label: 'Overview', icon: IconLayoutDashboard, also: '/overview' },
  { href: '/threads', label: 'Threads', icon: IconMessages, also: '/outputs' },
  { href: '/jobs', label: 'Jobs', icon: IconStack2, also: '/jobs' },
];

export function Nav({ path }: { path: string }) {
  return (
    <nav className={classes.nav} aria-label="Main">
      <Link href="/" className={classes.brand} aria-label="Spillway">
        <Mark size={20} />
        <span className={classes.label}>Spillway</span>
      </Link>
      <div className={classes.places}>
        {places.map(({ href, label, icon: Shape, also }) => {
          const here = (href === '/' ? path === '/' : path.startsWith(href)) || path.startsWith(also);
          return (
            <Link
              key={href}
              href={href}
              className={classes.place}
              aria-current={here ? 'page' : undefined}
              aria-label={label}
            >
              <Shape size={17} stroke={1.7} aria-hidden />
              <span className={classes.label}>{label}</span>
            </Link>
          );
        })}
      </div>
      <div className={classes.foot}>
        <ThemeToggle />
        <form action={signOut}>
          <UnstyledButton type="submit" className={classes.place} aria-label="Sign out" title="Sign out">
            <IconLogout size={17} stroke={1.7} aria-hidden />
            <span className={classes.label}>Sign out</span>
          </UnstyledButton>
        </form>
      </div>
    </nav>
  );
}
