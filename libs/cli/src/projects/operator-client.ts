import { AccessError, Spillway, type Call as Request } from '@spillway/client';
import { CommandError, NoKeyError, UsageError, type Environment } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { serverUrl } from '../program/server-settings.js';

/**
 * Calls the server as its operator: with the password that it has in SPILLWAY_OPERATOR_PASSWORD, and with no key. Throws
 * `UsageError` without a password, and `CommandError` when the server refuses it.
 */
export function operatorOf(env: Environment): <T>(request: Request) => Promise<T> {
  const password = env.SPILLWAY_OPERATOR_PASSWORD?.trim();
  if (!password)
    throw new NoKeyError(
      'SPILLWAY_OPERATOR_PASSWORD is not set. Give it the operator password of the server: no key reaches beyond its project.',
    );
  if (!/^[\x21-\x7e]+$/.test(password))
    throw new UsageError('SPILLWAY_OPERATOR_PASSWORD has spaces, line breaks or other characters.');
  const authorization = `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`;
  const spillway = new Spillway({ baseUrl: serverUrl(env).href, key: '' });
  return async (request) => {
    try {
      return await spillway.call({ ...request, headers: { ...request.headers, authorization } });
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      throw new CommandError(
        error.code,
        error.message,
        'Set SPILLWAY_OPERATOR_PASSWORD here to the value that it has for the server.',
        exitCode.noAccess,
        { cause: error },
      );
    }
  };
}
