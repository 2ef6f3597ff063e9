import { getIronSession, type IronSession } from 'iron-session';
import { cookies, headers } from 'next/headers';
import { sessionSecret } from './session-secret';

interface Session {
  /** Stands for the API key of the person who signed in; the API ends it. Scripts of a page can't read it. */
  token?: string;
}

/** As long as the API lets a session live at most. */
const halfADay = 12 * 60 * 60;

/** The session of this request, sealed in a cookie that scripts can't read and other sites can't send. */
export async function readSession(): Promise<IronSession<Session>> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  // Behind plain HTTP a Secure cookie would never come back; a TLS proxy says so in this header.
  const secure = sent.get('x-forwarded-proto') === 'https';
  return getIronSession<Session>(jar, {
    // With `__Host-` a browser takes the cookie from this very host alone, not from a neighbour of its domain.
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
