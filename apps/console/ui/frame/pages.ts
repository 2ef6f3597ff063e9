import {
  IconFileText,
  IconGauge,
  IconMessages,
  IconSettings,
  IconStack2,
  type Icon,
} from '@tabler/icons-react';
import { segmentText } from '@/app/decoded-segment';

/** The main pages: for the navigation, the palette, and the keys `g` and a letter. */
export const pages: readonly { href: string; label: string; icon: Icon; key: string }[] = [
  { href: '/', label: 'Overview', icon: IconGauge, key: 'o' },
  { href: '/threads', label: 'Threads', icon: IconMessages, key: 't' },
  { href: '/outputs', label: 'Outputs', icon: IconFileText, key: 'u' },
  { href: '/jobs', label: 'Jobs', icon: IconStack2, key: 'j' },
  { href: '/settings', label: 'Settings', icon: IconSettings, key: 's' },
];

/** Subpages. The palette finds them by label and keywords. */
export const subpages: readonly { href: string; label: string; words: string }[] = [
  { href: '/search', label: 'Search messages', words: 'find text said all threads project' },
  { href: '/settings/policy', label: 'Policy', words: 'settings trigger window retention' },
  { href: '/settings/keys', label: 'Keys', words: 'settings api key scopes access' },
  { href: '/settings/webhooks', label: 'Webhooks', words: 'settings events deliveries' },
  { href: '/settings/models', label: 'Models', words: 'settings prices context window cost' },
  { href: '/settings/upstreams', label: 'Upstreams', words: 'settings provider base url key proxies' },
  { href: '/settings/audit', label: 'Audit', words: 'settings log who changed' },
  { href: '/settings/system', label: 'System', words: 'settings health environment version' },
  { href: '/jobs?tab=parked', label: 'Parked threads', words: 'jobs stopped irreducible' },
  { href: '/jobs?tab=backoff', label: 'Retrying threads', words: 'jobs backoff' },
  { href: '/jobs?tab=proposed', label: 'Summaries to approve', words: 'jobs proposed approval review' },
  { href: '/jobs?tab=failed', label: 'Failed compactions', words: 'jobs errors attempts' },
  { href: '/jobs?tab=done', label: 'Compactions', words: 'jobs done attempts' },
  { href: '/jobs?tab=sweeps', label: 'Sweeps', words: 'jobs storage deleted' },
];

/** Whether a text matches a page: part of its label, or of a keyword. */
export const isMeant = (text: string, { label, words = '' }: { label: string; words?: string }): boolean =>
  `${label} ${words}`.toLowerCase().includes(text.trim().toLowerCase());

/** Whether a path belongs to a page: `/` matches only itself. */
export const isAt = (path: string, href: string): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);

/**
 * The title of the page at a path. A thread's is its id, an output's the head of its id: tabs of a browser are told apart
 * by them.
 */
export function titleOf(path: string): string {
  const [, section = '', id] = path.split('/');
  const name =
    section === 'login'
      ? 'Sign in'
      : (idTitle(section, id) ?? [...subpages, ...pages].find(({ href }) => href === path)?.label);
  return name === undefined ? 'Spillway' : `${name} · Spillway`;
}

function idTitle(section: string, segment = ''): string | undefined {
  const id = segmentText(segment);
  if (!id) return undefined;
  if (section === 'threads') return id;
  return section === 'outputs' ? `Output ${id.slice(0, 12)}` : undefined;
}
