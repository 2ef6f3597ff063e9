import { fileURLToPath } from 'node:url';
import { rowsOf, startStack } from '@spillway/testing';
import { connections } from '../bench.js';
import type { PeerSetup } from './measure-peer.js';
import { peersFolder, versionOf } from './install-peers.js';
import { agentModel, summaryModel, type Model } from './model.js';

/** The same for all: a window, and the tokens at which memory is compacted. */
export const contextWindow = 16_000;
export const trigger = 12_800;

const ownProgram = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url));

/** All of them, Spillway first. They run one after another, so that each has the machine and the log to itself. */
export async function setups(server: string, model: Model, summaryText: string): Promise<PeerSetup[]> {
  const common = { modelUrl: model.url, agentModel, summaryModel, trigger, window: contextWindow };
  const onDatabase = (
    file: string,
    { id, ...setup }: Omit<PeerSetup, 'open'> & { id: string },
    options: object = {},
  ): PeerSetup => ({
    ...setup,
    open: async () => {
      const databaseUrl = await newDatabase(server, `peer_${id}`);
      return {
        databaseUrl,
        file,
        options: { ...common, databaseUrl, ...options },
        close: () => Promise.resolve(),
      };
    },
  });
  const mastra = `${peersFolder}mastra.mjs`;
  const langgraph = `LangGraph.js ${await versionOf('@langchain/langgraph')}, summarization`;
  const ofMastra = `Mastra ${await versionOf('@mastra/core')}`;
  return [
    {
      name: 'Spillway',
      kind: 'spillway',
      summary: fiveFields(summaryText),
      open: async () => {
        const env = { ...model.env, LOG_LEVEL: 'error', SPILLWAY_POOL: `${connections}` };
        const stack = await startStack({ env });
        const { url, key, databaseUrl } = stack;
        // The trigger is at most 0.9 of what the reserve leaves, so that this reserve keeps it where the others' is.
        const context = { context_window: contextWindow, response_reserve: contextWindow / 10 };
        const options = { url, key, modelUrl: model.url, policy: { context } };
        return { databaseUrl, file: ownProgram('spillway-agent'), options, close: () => stack.stop() };
      },
    },
    onDatabase(`${peersFolder}langgraph.mjs`, {
      id: 'langgraph',
      name: langgraph,
      kind: 'langgraph',
      summary: summaryText,
    }),
    onDatabase(mastra, {
      id: 'mastra_last',
      name: `${ofMastra}, last 10 messages`,
      kind: 'other',
      summary: null,
    }),
    onDatabase(
      mastra,
      {
        id: 'mastra_observing',
        name: `${ofMastra}, observational memory`,
        kind: 'other',
        summary: `<observations>\nDate: Nov 24, 2026\n* 🔴 (10:00) ${summaryText}\n</observations>`,
      },
      { observes: true },
    ),
    ...(['chronos', 'dawn'] as const).map((rules) =>
      onDatabase(
        ownProgram('rules-agent'),
        {
          id: rules,
          name: `${rules === 'chronos' ? 'Chronos' : 'Dawn'}'s rules as plain code`,
          kind: 'other',
          summary: summaryText,
        },
        { rules },
      ),
    ),
  ];
}

/** The form in which Spillway asks for a summary, of the same length. */
function fiveFields(text: string): Record<string, string> {
  const names = [
    'task_overview',
    'current_state',
    'important_discoveries',
    'next_steps',
    'context_to_preserve',
  ];
  const size = Math.ceil(text.length / names.length);
  return Object.fromEntries(names.map((name, i) => [name, text.slice(i * size, (i + 1) * size)]));
}

async function newDatabase(server: string, name: string): Promise<string> {
  await rowsOf(server, `CREATE DATABASE ${name}`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
