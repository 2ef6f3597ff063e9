import type { ReactNode } from 'react';
import { requireToken } from '@/app/session/require-token';

/** Checked here as well as in the page: only outside the loading state a redirect has a status of its own. */
export default async function OutputsLayout({ children }: { children: ReactNode }) {
  await requireToken();
  return children;
}
