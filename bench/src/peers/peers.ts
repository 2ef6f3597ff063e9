import { loadCounter } from '@spillway/engine';
import { startTestPostgres } from '@spillway/testing';
import type { BenchResult } from '../bench.js';
import { conversation } from './conversation.js';
import { complaintsOf, rowsOfPeers } from './cost-table.js';
import { installPeers } from './install-peers.js';
import { measurePeer, type PeerResult } from './measure-peer.js';
import { startModel } from './model.js';
import { windowTurns } from './run-turns.js';
import { contextWindow, setups, trigger } from './setups.js';

const thousands = (value: number): string => value.toLocaleString('en-US');

/** What one turn of a long thread costs with Spillway and with others, and how long a slow summary holds it up. */
export async function peers(): Promise<BenchResult> {
  await installPeers();
  const textOf = conversation();
  const postgres = await startTestPostgres({ durable: true });
  process.env.SPILLWAY_TEST_POSTGRES = postgres.url;
  const model = await startModel();
  const results: PeerResult[] = [];
  try {
    const summaryText = `${textOf(-1_001)} ${textOf(-1_002)}`;
    for (const setup of await setups(postgres.url, model, summaryText)) {
      console.log(`peers: ${setup.name}`);
      results.push(await measurePeer(setup, model, textOf));
    }
  } finally {
    await model.stop();
    await postgres.stop();
  }
  const sample = Array.from({ length: 100 }, (_, i) => textOf(i + 1)).join('\n');
  const tokensPerCharacter = (await loadCounter('o200k'))(sample) / sample.length;
  return {
    name: 'peers',
    about: `A thread of two messages of 1 KB a turn, pieces of recorded threads. Each peer has a process of its own, an empty database on the same Postgres, and the same stub server as its model, which answers at once; they run one after another. A turn is what the agent's user waits for: what the user says is kept, the model is asked with the context, its reply is kept. The model call is in the time of all of them. Times and means are of the ${windowTurns} turns before the one named. Written: write-ahead log of the whole server, work in the background included. Stored: growth of the database, indexes included. Tokens: texts that the model was sent, at ${tokensPerCharacter.toFixed(3)} tokens a character; what Spillway and Mastra add beside texts (JSON, tools) is not counted. Not counted: Redis, which holds Spillway's queue and none of its data, and memory of the processes. Summaries are of 2 KB. All compact at ${thousands(trigger)} tokens of a window of ${thousands(contextWindow)} and are otherwise as their documentation shows them: Spillway as its API and its worker, over HTTP, one call for a user's message and its context and one for the reply; LangGraph.js as \`createAgent\` of LangChain with \`summarizationMiddleware\`, which keeps 20 messages, and \`PostgresSaver\`; Mastra with \`@mastra/memory\` on \`@mastra/pg\`, once with its default of 10 messages and no summary, and once with observational memory, whose messages and observations share those tokens 60 to 40; the rules of Chronos and of Dawn as a few lines of our own with a Postgres connection, without service, tenants, search or history of summaries. Stalls: the agent's model takes 0.2 s, which is taken off, and a summary 5 s.`,
    rows: rowsOfPeers(results, tokensPerCharacter),
    complaints: complaintsOf(results),
  };
}
