import type { ReactNode } from 'react';
import { requireKey } from '@/app/session/require-key';

/** Checked here as well as in the page: outside of its loading state a redirect is a real one. */
export default async function OutputsLayout({ children }: { children: ReactNode }) {
  await requireKey();
  return children;
}
