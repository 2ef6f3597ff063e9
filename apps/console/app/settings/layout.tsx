import type { ReactNode } from 'react';
import { requireToken } from '@/app/session/require-token';

/** Checked here as well as in the page: outside of its loading state a redirect is a real one. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  await requireToken();
  return children;
}
