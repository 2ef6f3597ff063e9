import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { EnvError } from './env-error.js';
import { portRefusal } from './port-refusal.js';

test('a port that is taken is refused in words that name its variable, and any other error stays', async () => {
  const first = createServer().listen(0, '127.0.0.1');
  await once(first, 'listening');
  const { port } = first.address() as AddressInfo;
  const second = createServer().listen(port, '127.0.0.1');
  const [error] = (await once(second, 'error')) as [NodeJS.ErrnoException];
  first.close();
  const refuse = portRefusal('WORKER_PORT', port);
  expect(() => refuse(error)).toThrow(new EnvError(`Port ${port} is taken: set WORKER_PORT to another one.`));
  const other = new Error('It broke.');
  expect(() => refuse(other)).toThrow(other);
});
