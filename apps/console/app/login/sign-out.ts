'use server';

import { redirect } from 'next/navigation';
import { serverApi } from '@/app/session/server-api';
import { readSession } from '@/app/session/session';

export async function signOut(): Promise<void> {
  const session = await readSession();
  // The API forgets the session too, so that a cookie somebody copied is worth nothing. When it does not answer, the
  // session ends by itself for want of requests.
  if (session.token !== undefined) {
    await serverApi(session.token)
      .DELETE('/v1/sessions/current')
      .catch(() => undefined);
  }
  session.destroy();
  redirect('/login');
}
