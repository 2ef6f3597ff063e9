import { startConsole, startStack, type AppProcess, type Stack, type StackOptions } from '@spillway/testing';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test processes ask for a stack. */
    stackLender: string;
  }
}

/**
 * How often a lent worker looks into Postgres for due threads. A look costs about 4 ms of CPU, the server's part included,
 * and the stacks stay for the whole run.
 */
const looks = { SPILLWAY_POLL_MS: '1000' };

const kinds = {
  /** An API alone: nothing is folded. */
  api: { workers: 0, redis: false },
  /** With Redis, whose hints a worker follows at once. */
  whole: { env: looks },
  /** For clients that read much: each makes 50 calls at once, and calls of several may fall into one second. */
  readers: {
    workers: 1,
    redis: false,
    env: { ...looks, SPILLWAY_EXPENSIVE_RATE_LIMIT: '1000' },
  },
} satisfies Record<string, StackOptions>;

export type LentStack = keyof typeof kinds;

/** What the stacks printed, which may explain a failure: several files share them. */
const logs = '.test-results/stacks';

const isKind = (name: string): name is LentStack => name in kinds;

/** Lends stacks to the files of a run: each is started when the first file asks for it, and stopped after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stacks = new Map<LentStack, Promise<Stack>>();
  let site: Promise<AppProcess> | undefined;
  const stackOf = (kind: LentStack): Promise<Stack> => {
    const stack = stacks.get(kind) ?? startStack(kinds[kind]);
    stacks.set(kind, stack);
    return stack;
  };
  const lend = async (name: string): Promise<object> => {
    if (name === 'console')
      return { url: (await (site ??= stackOf('whole').then(({ url }) => startConsole(url)))).url };
    if (!isKind(name)) throw new Error(`There is no stack ${name}.`);
    const { url, databaseUrl, outputsFolder } = await stackOf(name);
    return { url, databaseUrl, outputsFolder };
  };
  const server = createServer(({ url = '' }, response) => {
    lend(url.slice(1)).then(
      (lent) => response.end(JSON.stringify(lent)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('stackLender', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await (await site)?.kill();
    await mkdir(logs, { recursive: true });
    const end = async ([kind, starting]: [LentStack, Promise<Stack>]) => {
      const stack = await starting;
      const printed = [...stack.apis, ...stack.workers].map((app) => app.output());
      await writeFile(`${logs}/${kind}.log`, printed.join(''));
      await stack.stop();
    };
    await Promise.all([...stacks].map(end));
  };
}
