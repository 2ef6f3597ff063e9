import { startStubProvider } from '@spillway/testing';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { aiSdk } from './drivers/ai-sdk.js';
import { anthropic } from './drivers/anthropic.js';
import { langchain } from './drivers/langchain.js';
import { mastra } from './drivers/mastra.js';
import { openaiAgents } from './drivers/openai-agents.js';
import { ordersModel } from './adapter-rig.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('api');
});

// opencode gives a plugin no signal. pi's needs its program, and its conformance cases pass one.
test.each([aiSdk, anthropic, langchain, mastra, openaiAgents])(
  '$adapter: a run that is aborted while Spillway does not answer ends its request for the context',
  async (driver) => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const provider = await startStubProvider({ model: ordersModel, contextWindow: 128_000 });
    let isSilent = false;
    try {
      const program = driver.start({
        spillway: {
          baseUrl: stack.url,
          key: stack.key,
          timeoutMs: 600_000,
          fetch: (url, init) =>
            fetch(isSilent && init.method === 'POST' ? url.replace(stack.url, silentUrl) : url, init),
        },
        providerUrl: provider.url,
        model: 'gpt-4o-mini',
        instructions: 'You answer questions about orders.',
        listOrders: () => 'order-1234 is damaged',
        maxSteps: 3,
      });
      const id = `silent-${driver.adapter}`;
      const { page } = await program.ask(id, [], 'hello 1');
      const stop = new AbortController();
      const asked = once(silent, 'request') as Promise<[IncomingMessage]>;
      isSilent = true;
      const running = program.ask(id, page, 'hello 2', { signal: stop.signal });
      running.catch(() => undefined);
      const [{ socket }] = await asked;
      const ended = once(socket, 'close').then(() => 'ended');
      stop.abort();
      expect(await Promise.race([ended, sleep(20_000, 'not ended', { ref: false })])).toBe('ended');
      await expect(running).rejects.toThrow();
    } finally {
      silent.closeAllConnections();
      silent.close();
      await provider.stop();
    }
  },
);
