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
    about: aboutPeers(tokensPerCharacter),
    rows: rowsOfPeers(results, tokensPerCharacter),
    complaints: complaintsOf(results),
  };
}

const aboutPeers = (tokensPerCharacter: number): string =>
  `What one turn of a long thread costs: two messages of 1 KB, pieces of recorded threads. Each peer has a process of its own and an empty database, on the same Postgres and with the same stub server as its model. They run one after another.

- **A turn** is what the user of the agent waits for: the user's message is stored, the model is asked with the context, its reply is stored. The model answers at once, and its call is in the time of every peer. p50, p99 and means are of the last ${windowTurns} turns.
- **Written** is the write-ahead log of the whole server, work in the background included. **Stored** is the growth of the database with its indexes.
- **Tokens** are those of the texts that the model was sent, at ${tokensPerCharacter.toFixed(3)} tokens a character. JSON and tool schemas around them are not counted.
- **Not counted:** Redis, which holds Spillway's queue and none of its data; memory of the processes; the start.
- **All** compact at ${thousands(trigger)} tokens of a window of ${thousands(contextWindow)}, as each counts them (LangChain and Chronos: characters by four), and a summary has 2 KB. The rest is as their documentation shows it.
- **Spillway** is its API and its worker, over HTTP: one call for a user's message and its context, one for the reply.
- **LangGraph.js** is \`createAgent\` with \`summarizationMiddleware\`, which keeps 20 messages, and \`PostgresSaver\` with the default durability.
- **Mastra** is \`@mastra/memory\` on \`@mastra/pg\`: once with the default of the last 10 messages, which makes no summary, and once with observational memory, whose messages and observations share the tokens 60 to 40.
- **The rules of Chronos and of Dawn** are a few lines on a Postgres connection, without service, tenants, search or old summaries: a lower bound.
- **Stalls:** the agent's model takes 0.2 s, which is subtracted, and a summary takes 5 s.`;
