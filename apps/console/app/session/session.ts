import { getIronSession, type IronSession } from 'iron-session';
import { cookies, headers } from 'next/headers';
import { sessionSecret } from './session-secret';

interface Session {
  /** The API key of the person who signed in. It never leaves the server. */
  key?: string;
}

const week = 7 * 24 * 60 * 60;

/** The session of this request, sealed in a cookie that scripts can't read and other sites can't send. */
export async function readSession(): Promise<IronSession<Session>> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  return getIronSession<Session>(jar, {
    cookieName: 'spillway_session',
    password: sessionSecret,
    ttl: week,
    cookieOptions: {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      // Behind plain HTTP a Secure cookie would never come back; a TLS proxy says so in this header.
      secure: sent.get('x-forwarded-proto') === 'https',
    },
  });
}
