import {
  IconFileText,
  IconGauge,
  IconMessages,
  IconSettings,
  IconStack2,
  type Icon,
} from '@tabler/icons-react';

/** The places of the console: for the navigation, the palette, and the keys `g` and a letter. */
export const places: readonly { href: string; label: string; icon: Icon; key: string }[] = [
  { href: '/', label: 'Overview', icon: IconGauge, key: 'o' },
  { href: '/threads', label: 'Threads', icon: IconMessages, key: 't' },
  { href: '/outputs', label: 'Outputs', icon: IconFileText, key: 'u' },
  { href: '/jobs', label: 'Jobs', icon: IconStack2, key: 'j' },
  { href: '/settings', label: 'Settings', icon: IconSettings, key: 's' },
];

/** Whether a path is of a place: `/` is only itself. */
export const isAt = (path: string, href: string): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
