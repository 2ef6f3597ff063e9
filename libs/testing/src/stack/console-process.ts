import { onFreePort } from '@spillway/embedded';
import { startProgram, type AppProcess } from './app-process.js';

/** The built console as a process of its own, speaking to an API. */
export const startConsole = (apiUrl: string): Promise<AppProcess> =>
  onFreePort((port) =>
    startProgram({
      program: 'apps/console/.next/standalone/apps/console/server.js',
      memory: 'roomy',
      url: `http://127.0.0.1:${port}`,
      ready: '/login',
      env: { PORT: `${port}`, HOSTNAME: '127.0.0.1', API_URL: apiUrl, NODE_ENV: 'production' },
    }),
  );
