'use server';

import { redirect } from 'next/navigation';
import { readSession } from '@/app/session/session';

export async function signOut(): Promise<void> {
  const session = await readSession();
  session.destroy();
  redirect('/login');
}
