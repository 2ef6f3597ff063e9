import { UnstyledButton } from '@mantine/core';
import { IconKeyboard, IconLogout, IconSearch, type Icon } from '@tabler/icons-react';
import Link from 'next/link';
import { signOut } from '../access/session-end';
import { Mark } from './mark';
import classes from './nav.module.css';
import { isAt, pages } from './pages';
import { ThemeToggle } from './theme-toggle';

interface Props {
  path: string;
  onPalette: () => void;
  onShortcuts: () => void;
}

/** On the left, as icons in narrow windows, at the bottom on phones, where the palette has the rest. */
export function Nav({ path, onPalette, onShortcuts }: Props) {
  return (
    <nav className={classes.nav} aria-label="Main">
      <Link href="/" prefetch={false} className={classes.brand} aria-label="Spillway">
        <Mark size={20} />
        <span className={classes.label}>Spillway</span>
      </Link>
      <div className={classes.pages}>
        <Doing icon={IconSearch} label="Search" keys="Ctrl K" onClick={onPalette} />
        {pages.map(({ href, label, icon: Shape }) => (
          <Link
            key={href}
            href={href}
            // Every page loads its data when it is opened; prefetching all of them would be wasted.
            prefetch={false}
            className={classes.page}
            aria-current={isAt(path, href) ? 'page' : undefined}
            title={label}
          >
            <Shape size={17} stroke={1.7} aria-hidden />
            <span className={classes.label}>{label}</span>
          </Link>
        ))}
      </div>
      <div className={classes.foot}>
        <Doing icon={IconKeyboard} label="Shortcuts" keys="?" onClick={onShortcuts} />
        <ThemeToggle />
        <UnstyledButton className={classes.page} onClick={() => void signOut()} title="Sign out">
          <IconLogout size={17} stroke={1.7} aria-hidden />
          <span className={classes.label}>Sign out</span>
        </UnstyledButton>
      </div>
    </nav>
  );
}

function Doing({
  icon: Shape,
  label,
  keys,
  onClick,
}: {
  icon: Icon;
  label: string;
  keys: string;
  onClick: () => void;
}) {
  return (
    <UnstyledButton className={classes.page} onClick={onClick} title={`${label} (${keys})`}>
      <Shape size={17} stroke={1.7} aria-hidden />
      <span className={classes.label}>{label}</span>
      <kbd className={classes.keys} aria-hidden>
        {keys}
      </kbd>
    </UnstyledButton>
  );
}
