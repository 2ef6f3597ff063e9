import { Agent, OpenAIResponsesModel, Runner, tool, type AgentInputItem } from '@openai/agents';
import OpenAI from 'openai';
import { asText, toolSchemas, type SpillwayThread } from './spillway-thread.js';
import { stepsOfTurn } from './scripted-turns.js';

/** The OpenAI Agents SDK over Responses; `callModelInputFilter` records what is new and takes the context. */
export async function openaiAgentsAgent(
  thread: SpillwayThread,
  providerUrl: string,
): Promise<(asked: string) => Promise<void>> {
  const client = new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  await thread.create(toolSchemas);
  const tools = toolSchemas.map(({ name, description, parameters }) =>
    tool({
      name,
      description,
      parameters,
      strict: false,
      execute: async (input) => asText(await thread.run(name, input as Record<string, unknown>)),
    }),
  );
  // No hook of the SDK sees a call's usage, so the model is watched.
  class WatchedModel extends OpenAIResponsesModel {
    usage: object | undefined;
    override async getResponse(request: Parameters<OpenAIResponsesModel['getResponse']>[0]) {
      const response = await super.getResponse(request);
      const { inputTokens, outputTokens } = response.usage;
      this.usage = { input_tokens: inputTokens, output_tokens: outputTokens };
      return response;
    }
  }
  const model = new WatchedModel(client, 'gpt-4o-mini');
  const agent = new Agent({ name: 'shop', instructions: 'You repair the shop.', model, tools });
  const runner = new Runner({ tracingDisabled: true });
  return async (asked) => {
    let known = 0;
    const { output } = await runner.run(agent, asked, {
      maxTurns: stepsOfTurn + 1,
      callModelInputFilter: async ({ modelData }) => {
        await thread.record(
          modelData.input.slice(known).map(responsesItem),
          known === 0 ? undefined : model.usage,
        );
        known = modelData.input.length;
        const { messages, system } = await thread.context();
        return { input: messages.map(agentItem), ...(system === null ? {} : { instructions: system }) };
      },
    });
    await thread.record(output.slice(-1).map(responsesItem), model.usage);
  };
}

/** An item of the SDK as an item of the Responses API. */
function responsesItem(item: AgentInputItem): object {
  if (item.type === 'function_call')
    return { type: 'function_call', call_id: item.callId, name: item.name, arguments: item.arguments };
  if (item.type === 'function_call_result') {
    const { output } = item;
    const text = typeof output === 'string' ? output : (output as { text: string }).text;
    return { type: 'function_call_output', call_id: item.callId, output: text };
  }
  if (item.type !== undefined && item.type !== 'message')
    throw new Error(`No mapping for an item of type ${item.type}`);
  return { type: 'message', role: item.role, content: item.content };
}

/** An item of the Responses API as an item of the SDK. */
function agentItem(item: { [key: string]: unknown }): AgentInputItem {
  switch (item.type) {
    case 'function_call':
      return {
        type: 'function_call',
        callId: String(item.call_id),
        name: String(item.name),
        arguments: String(item.arguments),
      };
    case 'function_call_output':
      return {
        type: 'function_call_result',
        callId: String(item.call_id),
        name: 'tool',
        status: 'completed',
        output: { type: 'text', text: String(item.output) },
      };
    default: {
      const { role, content } = item;
      if (role !== 'assistant' || typeof content !== 'string') return item as unknown as AgentInputItem;
      return {
        type: 'message',
        role,
        status: 'completed',
        content: [{ type: 'output_text', text: content }],
      };
    }
  }
}
