import { getIronSession, type IronSession } from 'iron-session';
import { cookies, headers } from 'next/headers';
import { sessionSecret } from './session-secret';

interface Session {
  /** Replaces the API key of the user; the API ends it. Scripts of a page cannot read it. */
  token?: string;
}

/** The API's maximum lifetime of a session. */
const halfADay = 12 * 60 * 60;

/** The session of this request, sealed in a cookie that scripts can't read and other sites can't send. */
export async function readSession(): Promise<IronSession<Session>> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  // A browser drops a Secure cookie over plain HTTP; a TLS proxy announces itself in this header.
  const secure = sent.get('x-forwarded-proto') === 'https';
  return getIronSession<Session>(jar, {
    // With `__Host-` a browser accepts the cookie from this host only, not from another host of its domain.
    cookieName: secure ? '__Host-spillway_session' : 'spillway_session',
    password: sessionSecret,
    ttl: halfADay,
    cookieOptions: {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure,
    },
  });
}
