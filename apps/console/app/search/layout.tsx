import type { ReactNode } from 'react';
import { requireToken } from '@/app/session/require-token';

/** A search takes a while: the browser makes it, and this says only who may. */
export default async function SearchLayout({ children }: { children: ReactNode }) {
  await requireToken();
  return children;
}
