'use server';

import { redirect } from 'next/navigation';
import { serverApi } from '@/app/session/server-api';
import { readSession } from '@/app/session/session';

export async function signOut(): Promise<void> {
  const session = await readSession();
  // Ends the session at the API too, so that a copied cookie is worthless. If the API does not answer, the session
  // expires.
  if (session.token !== undefined) {
    await serverApi(session.token)
      .DELETE('/v1/sessions/current')
      .catch(() => undefined);
  }
  session.destroy();
  redirect('/login');
}
