import { Spillway } from '@spillway/client';
import { NoKeyError, UsageError, type Environment } from './command.js';

export const defaultUrl = 'http://localhost:4000';

/** For help texts. */
export const settingsHelp = `  SPILLWAY_URL      address of the server; default ${defaultUrl}
  SPILLWAY_KEY      an API key, or a token for one thread
  SPILLWAY_OPERATOR_PASSWORD  of projects, in place of a key: the operator password of the server`;

/** Which server, and with which key. Throws `UsageError` for settings that are missing or wrong. */
export function serverSettings(env: Environment): { url: URL; key: string } {
  const url = serverUrl(env);
  // SPILLWAY_API_KEY was its name once.
  const key = env.SPILLWAY_KEY || env.SPILLWAY_API_KEY;
  if (!key) throw new NoKeyError('SPILLWAY_KEY is not set. Give it an API key or a thread token.');
  // fetch refuses such a header with a message that names neither the key nor the variable.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('SPILLWAY_KEY has spaces, line breaks or other characters that no key has.');
  return { url, key };
}

/** The address of the server, which ends with a slash. Throws `UsageError`. */
export function serverUrl({ SPILLWAY_URL: address = defaultUrl }: Environment): URL {
  const base = address.endsWith('/') ? address : `${address}/`;
  // URL.parse came with Node.js 22.
  const url = URL.canParse(base) ? new URL(base) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`SPILLWAY_URL (${address}) must be an address like ${defaultUrl}.`);
  return url;
}

/** The client for the server of the environment. Throws `UsageError`. */
export function clientOf(
  env: Environment,
  options: { maxRetries?: number; timeoutMs?: number } = {},
): Spillway {
  const { url, key } = serverSettings(env);
  return new Spillway({ baseUrl: url.href, key, ...options });
}
