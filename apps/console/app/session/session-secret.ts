import { randomBytes } from 'node:crypto';

declare global {
  var spillwaySessionSecret: string | undefined;
}

/**
 * Seals the session cookie. Without CONSOLE_SESSION_SECRET one is made at boot, and sessions end with the process.
 * Stored on globalThis because Next gives pages and route handlers separate copies of a module.
 */
export const sessionSecret = (globalThis.spillwaySessionSecret ??=
  fromEnvironment() ?? randomBytes(32).toString('hex'));

function fromEnvironment(): string | undefined {
  const secret = process.env.CONSOLE_SESSION_SECRET;
  if (!secret) return undefined;
  if (secret.length < 32) throw new Error('CONSOLE_SESSION_SECRET must have at least 32 characters.');
  return secret;
}
