import type { ReactNode } from 'react';
import { requireToken } from '@/app/session/require-token';
import { Page } from '@/ui/page';
import { readCurrentSession } from './read-current-session';
import { SettingsHead } from './settings-head';

/** Checked here as well as in the pages: only outside their loading states a redirect has a status of its own. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const session = await readCurrentSession(await requireToken());
  return <Page head={<SettingsHead session={session.ok ? session.data : null} />}>{children}</Page>;
}
