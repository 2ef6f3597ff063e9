import type { Schemas } from '@spillway/client';
import {
  apiOf,
  startProxy,
  startStubProvider,
  type Proxy,
  type ProxyMode,
  type ScriptedModel,
  type StubProvider,
} from '@spillway/testing';
import type { BorrowedStack } from '../../borrowed-stack.js';
import { expect } from 'vitest';
import { listOrders } from '../../../examples/orders.ts';
import type { Driver, Page, Program } from './drivers/driver.js';
import { transcriptOf } from './transcript.js';

export interface RigOptions {
  model?: ScriptedModel;
  contextWindow?: number;
  /** What the agent's own tool returns. Default: a result that is far too large for a context. */
  execute?: () => string;
  key?: string;
  /** The provider's tokens for one of ours. */
  tokenRatio?: number;
  /** Default: long enough for a busy machine, on which a framework takes seconds between two steps. */
  timeoutMs?: number;
  /** How long a context waits for a fold. */
  waitMs?: number;
}

export interface AdapterRig {
  provider: StubProvider;
  /** Between the adapter and Spillway. */
  network: Proxy;
  /** What the adapter logged. */
  lines: string[];
  program: Program;
  /** Starts another process, which knows nothing of the threads. */
  another: () => Program;
  /** The transcript of the messages of a thread that were not rewound. */
  recorded: (id: string) => Promise<string[]>;
  shown: (page: Page) => string[];
  /** What the page shows after its last messages were taken back. */
  takeBack: (id: string, page: Page, count: number) => Promise<Page>;
}

/** Lists the orders twice at once, reads one of the results back, and answers. To a hello it answers alone. */
export const ordersModel: ScriptedModel = ({ results, asked }) => {
  if (/hello/.test(asked.at(-1)!)) return { text: `Hello ${asked.length}.` };
  if (results.length === 0)
    return {
      calls: [
        { name: 'list_orders', args: { n: 1 } },
        { name: 'list_orders', args: { n: 2 } },
      ],
    };
  const id = /out_[0-9a-f]{32}/.exec(results[0]!)?.[0] ?? 'none';
  if (results.length === 2)
    return { calls: [{ name: 'read_output', args: { id, path: '$[?@.state=="damaged"].id' } }] };
  return { text: `Damaged: ${/order-\d+/.exec(results[2]!)?.[0] ?? 'not found'}.` };
};

/**
 * Runs a case with the real framework, a strict stub of its provider, and the real service behind a network that can
 * fail. Whatever the case is about, the provider must not have refused a request.
 */
export async function onRig(
  driver: Driver,
  stack: BorrowedStack,
  options: RigOptions,
  run: (rig: AdapterRig) => Promise<void>,
): Promise<void> {
  const { contextWindow = 128_000, execute = listOrders, model = ordersModel, tokenRatio = 1 } = options;
  const { hostname: host, port } = new URL(stack.url);
  const provider = await startStubProvider({ model, contextWindow, tokenRatio });
  const network = await startProxy({ host, port: Number(port) });
  const lines: string[] = [];
  let isBroken = false;
  const breakable = (mode: ProxyMode) => {
    isBroken ||= mode !== 'pass';
    return network.set(mode);
  };
  const start = () =>
    driver.start({
      spillway: {
        baseUrl: network.through(stack.url),
        key: options.key ?? stack.key,
        maxRetries: 0,
        pauseMs: 0,
        timeoutMs: options.timeoutMs ?? 60_000,
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        log: (line) => {
          // A session of OpenAI Agents is not told of the model, so Spillway warns of the thread's window.
          if (!line.startsWith('Spillway warns of')) lines.push(line);
        },
      },
      providerUrl: provider.url,
      model: 'gpt-4o-mini',
      instructions: 'You answer questions about orders.',
      listOrders: execute,
      maxSteps: 20,
    });
  const program = start();
  try {
    const failure = await run({
      provider,
      network: { ...network, set: breakable },
      lines,
      program,
      another: start,
      recorded: async (id) => transcriptOf(await liveMessagesOf(stack, id)),
      shown: (page) => transcriptOf(driver.messagesOf(page)),
      takeBack: async (id, page, count) =>
        (await program.takeBack?.(id, page, count)) ?? page.slice(0, page.length - count),
    }).then(
      () => null,
      (error: Error) => error,
    );
    // An outage that the case did not make explains its failure.
    if (failure && !isBroken) expect(lines).toEqual([]);
    if (failure) throw failure;
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
    await network.stop();
  }
}

/** The original messages that were not rewound. */
export async function liveMessagesOf(stack: BorrowedStack, id: string): Promise<unknown[]> {
  const path = `/v1/threads/${encodeURIComponent(id)}/messages?view=original&limit=500`;
  const { body } = await apiOf(stack).call<Schemas['MessageList']>('GET', path);
  return body.data.filter((one) => one.rewound_before === null).map(({ message }) => message);
}
