'use server';

import { redirect } from 'next/navigation';
import { readSession } from '@/app/session/session';
import { startSession, type Throttled } from '@/app/session/start-session';
import { duration } from '@/ui/quantity';
import { localPath } from './local-path';

export interface SignInState {
  error: string | null;
}

/** Exchanges the key for a new session at the API and seals its token in the cookie. Next refuses the call from other origins. */
export async function signIn(_: SignInState, form: FormData): Promise<SignInState> {
  const key = textOf(form, 'key').trim();
  if (key === '') return { error: 'Paste an API key.' };
  if (key.length > 2000 || !/^[\x21-\x7e]+$/.test(key)) return { error: 'This is not a valid API key.' };
  const started = await startSession(key);
  if (started === 'refused') return { error: 'The API does not accept this key. It may have been revoked.' };
  if (started === 'unreachable')
    return { error: 'The API does not answer. Check that it runs, then try again.' };
  if ('retryAfterMs' in started) return { error: tooManyTries(started) };
  const session = await readSession();
  session.token = started.token;
  await session.save();
  redirect(localPath(textOf(form, 'next')));
}

const tooManyTries = ({ retryAfterMs }: Throttled): string =>
  `Too many tries to sign in. Try again ${retryAfterMs === null ? 'later' : `in ${duration(retryAfterMs)}`}.`;

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};
