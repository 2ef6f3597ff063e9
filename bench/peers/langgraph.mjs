import { ChatOpenAI } from '@langchain/openai';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { createAgent, summarizationMiddleware } from 'langchain';
import { serveTurns } from '../dist/peers/serve-turns.js';

/**
 * The agent of LangChain's page on short-term memory: a checkpointer in Postgres, and the middleware that
 * summarizes at a number of tokens and keeps its default of 20 messages.
 */
await serveTurns(async ({ databaseUrl, modelUrl, agentModel, summaryModel, trigger }) => {
  const checkpointer = PostgresSaver.fromConnString(databaseUrl);
  await checkpointer.setup();
  const model = (name) =>
    new ChatOpenAI({ model: name, apiKey: 'sk-test', configuration: { baseURL: modelUrl }, maxRetries: 0 });
  const middleware = [
    summarizationMiddleware({
      model: model(summaryModel),
      trigger: { tokens: trigger },
      keep: { messages: 20 },
    }),
  ];
  const agent = createAgent({ model: model(agentModel), tools: [], checkpointer, middleware });
  const config = { configurable: { thread_id: 'thread' } };
  return async (text) => {
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: text }] }, config);
    return messages.at(-1).text;
  };
});
