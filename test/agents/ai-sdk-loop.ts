import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { dynamicTool, isStepCount, jsonSchema, ToolLoopAgent, type ModelMessage } from 'ai';
import { stepsOfTurn } from './scripted-turns.js';
import { toolSchemas, type SpillwayThread } from './spillway-thread.js';

/** The AI SDK's own tool loop; `prepareStep` records what is new and takes the context. */
export async function aiSdkAgent(
  thread: SpillwayThread,
  providerUrl: string,
): Promise<(asked: string) => Promise<void>> {
  const provider = createOpenAICompatible({ name: 'stub', baseURL: `${providerUrl}/v1`, apiKey: 'sk-test' });
  await thread.create(toolSchemas);
  const tools = Object.fromEntries(
    toolSchemas.map(({ name, description, parameters }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: (input) => thread.run(name, input as Record<string, unknown>),
      }),
    ]),
  );
  return async (asked) => {
    // What `prepareStep` returns comes back with the next step, so only what follows it is new.
    let known = 0;
    const agent = new ToolLoopAgent({
      model: provider('gpt-4o-mini'),
      tools,
      maxRetries: 0,
      stopWhen: isStepCount(stepsOfTurn),
      prepareStep: async ({ messages, steps }) => {
        await thread.record(messages.slice(known), steps.at(-1)?.usage);
        const context = await thread.context();
        known = context.messages.length;
        return {
          messages: context.messages as unknown as ModelMessage[],
          ...(context.system === null ? {} : { instructions: context.system }),
        };
      },
    });
    const { steps } = await agent.generate({ messages: [{ role: 'user', content: asked }] });
    const last = steps.at(-1)!;
    await thread.record(last.response.messages.slice(-1), last.usage);
  };
}
