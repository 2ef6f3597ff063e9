import '@spillway/node-version/require';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { runToEnd } from '../start/run-to-end.js';
import { readSettings } from '../start/settings.js';
import { startSpillway } from '../start/spillway.js';
import { welcome } from '../start/welcome.js';
import { withoutArguments } from '../start/without-arguments.js';

const say = (line: string): void => console.log(line);

withoutArguments(
  'npm run dev',
  'Starts what npm start does; API and worker restart when their code changes.',
);
/** `npm run dev`: like `npm start`, with TypeScript watching; api and worker restart after a build. */
await runToEnd(async ({ signal, interrupted }, teardown) => {
  const running = await startSpillway({ ...readSettings(process.env), watch: true, say, signal }, teardown);
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const compiler = spawn(
    process.execPath,
    [tsc, '-b', '-w', '--preserveWatchOutput', 'apps/api', 'apps/worker'],
    {
      cwd: repository,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  teardown.add('the compiler', () => Promise.resolve(void compiler.kill()));
  say(welcome(running));
  await interrupted;
  say('Stopping.');
  return 0;
});
