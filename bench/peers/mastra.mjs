import { Agent } from '@mastra/core/agent';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';
import { serveTurns } from '../dist/peers/serve-turns.js';

/**
 * The agent of Mastra's pages on memory: messages in Postgres, of which a model is sent the newest 10 (the default) or,
 * with `observes`, the newest ones and observations of the older ones.
 */
await serveTurns(async ({ databaseUrl, modelUrl, agentModel, summaryModel, observes, trigger }) => {
  const model = (name) => ({ id: `stub/${name}`, url: modelUrl, apiKey: 'sk-test' });
  const storage = new PostgresStore({ id: 'storage', connectionString: databaseUrl });
  await storage.init();
  const options = observes
    ? {
        observationalMemory: {
          model: model(summaryModel),
          observation: { messageTokens: Math.round(trigger * 0.6) },
          reflection: { observationTokens: Math.round(trigger * 0.4) },
        },
      }
    : {};
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'You are a helpful assistant.',
    model: model(agentModel),
    memory: new Memory({ storage, options }),
  });
  const memory = { thread: 'thread', resource: 'user' };
  return async (text) => (await agent.generate(text, { memory })).text;
});
