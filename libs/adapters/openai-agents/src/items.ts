import type { AgentInputItem } from '@openai/agents';
import { partOfResponses, partsOfAgent, resultOfAgent, resultOfResponses } from './parts.js';

type Json = Record<string, unknown>;

/** Ids that the SDK makes up for providers without ids. */
const madeUpId = 'FAKE_ID';

/** Returns an item of the SDK as an item of the Responses API. */
export function responsesItem(item: AgentInputItem): Json {
  const { id, ...head } = item as { id?: string };
  const known = id === undefined || id === madeUpId ? {} : { id };
  if (item.type === undefined || item.type === 'message') {
    const { role, content } = item;
    const phase = role === 'assistant' && item.phase !== undefined ? { phase: item.phase } : {};
    const status = role === 'assistant' ? { status: item.status } : {};
    return { type: 'message', ...known, role, content: partsOfAgent(content), ...status, ...phase };
  }
  if (item.type === 'function_call') {
    const { type, callId, name, arguments: args, status, namespace } = item;
    return {
      type,
      ...known,
      call_id: callId,
      name,
      arguments: args,
      ...(status === undefined ? {} : { status }),
      ...(namespace === undefined ? {} : { namespace }),
    };
  }
  if (item.type === 'function_call_result') {
    const { callId, output, status } = item;
    return {
      type: 'function_call_output',
      ...known,
      call_id: callId,
      output: resultOfAgent(output),
      status,
    };
  }
  if (item.type === 'reasoning') {
    const data = (item.providerData ?? {}) as Json;
    const sealed = data.encrypted_content ?? data.encryptedContent;
    return {
      type: 'reasoning',
      ...known,
      summary: item.content.map(({ text }) => ({ type: 'summary_text', text })),
      ...(typeof sealed === 'string' ? { encrypted_content: sealed } : {}),
    };
  }
  if (item.type === 'unknown') return { ...(item.providerData as Json), ...known };
  return builtInItem({ ...head, ...known });
}

/** Calls and results of built-in tools have the provider's fields in camel case, and others in `providerData`. */
function builtInItem({ providerData, ...item }: Json): Json {
  const { type: ownType, ...data } = (providerData ?? {}) as Json;
  const type = item.type === 'hosted_tool_call' ? (ownType ?? item.type) : item.type;
  const all = inSnakeCase({ ...data, ...item }) as Json;
  return { ...all, type: String(type).replace(/_call_result$/, '_call_output') };
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), inSnakeCase(one)]),
  );
}

/** Returns items of the Responses API as items of the SDK. */
export function agentItems(items: readonly object[]): AgentInputItem[] {
  const names = new Map<unknown, string>();
  return (items as Json[]).map((item) => {
    if (item.type === 'function_call') names.set(item.call_id, String(item.name));
    return agentItem(item, names.get(item.call_id) ?? 'tool');
  });
}

function agentItem(item: Json, toolName: string): AgentInputItem {
  const { id, type, status = 'completed', call_id: callId } = item;
  const known = typeof id === 'string' ? { id } : {};
  const converted = ((): Json => {
    switch (type) {
      case undefined:
      case 'message':
        return messageOf(item);
      case 'function_call': {
        const { name, arguments: args, namespace } = item;
        return {
          type,
          callId,
          name,
          arguments: args,
          status,
          ...(namespace === undefined ? {} : { namespace }),
        };
      }
      case 'function_call_output':
        return {
          type: 'function_call_result',
          callId,
          name: toolName,
          status,
          output: resultOfResponses(item.output),
        };
      case 'reasoning': {
        const { summary, encrypted_content: sealed } = item;
        const content = (Array.isArray(summary) ? (summary as Json[]) : []).map(({ text }) => ({
          type: 'input_text',
          text,
        }));
        return {
          type,
          content,
          ...(sealed === undefined ? {} : { providerData: { encrypted_content: sealed } }),
        };
      }
      default:
        // The SDK passes these on as they are.
        return { type: 'unknown', providerData: item };
    }
  })();
  return { ...converted, ...known } as AgentInputItem;
}

function messageOf({ role, content, status = 'completed', phase }: Json): Json {
  const parts = typeof content === 'string' ? content : (content as Json[]).map(partOfResponses);
  if (role === 'assistant') {
    const output = typeof parts === 'string' ? [{ type: 'output_text', text: parts }] : parts;
    return { type: 'message', role, status, content: output, ...(phase === undefined ? {} : { phase }) };
  }
  if (role === 'user') return { type: 'message', role, content: parts };
  const text =
    typeof parts === 'string'
      ? parts
      : parts.map(({ text: one }) => (typeof one === 'string' ? one : '')).join('\n');
  return { type: 'message', role: 'system', content: text };
}
