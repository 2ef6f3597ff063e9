import type { AgentInputItem } from '@openai/agents';
import { partOfResponses, partsOfAgent, resultOfAgent, resultOfResponses } from './parts.js';
import {
  beside,
  callerIn,
  callerOf,
  given,
  inSnakeCase,
  providerDataOf,
  type Json,
} from './provider-data.js';

/** Ids that the SDK makes up for providers without ids. */
const madeUpId = 'FAKE_ID';
/** The form of ids that the service takes for a caller's own, which name one message of a thread each. */
const ofCaller = /^[A-Za-z0-9._:@-]{1,200}$/;

/** Returns an item of the SDK as an item of the Responses API. */
export function responsesItem(item: AgentInputItem): Json {
  const { id, ...head } = item as { id?: string };
  const known = id === undefined || id === madeUpId || isOfCompletion(id, item) ? {} : { id };
  if (item.type === undefined || item.type === 'message') {
    const { role, content } = item;
    const phase = role === 'assistant' && item.phase !== undefined ? { phase: item.phase } : {};
    const status = role === 'assistant' ? { status: item.status } : {};
    return { type: 'message', ...known, role, content: partsOfAgent(content), ...status, ...phase };
  }
  if (item.type === 'function_call') {
    const { type, callId, name, arguments: args, status, namespace, caller, providerData } = item;
    const own = {
      type,
      ...known,
      call_id: callId,
      name,
      arguments: args,
      ...given({ status, namespace, caller: callerIn(caller) }),
    };
    return { ...beside(providerData), ...own };
  }
  if (item.type === 'function_call_result') {
    const { callId, output, status, caller, providerData } = item;
    const own = {
      type: 'function_call_output',
      ...known,
      call_id: callId,
      output: resultOfAgent(output),
      status,
      ...given({ caller: callerIn(caller) }),
    };
    return { ...beside(providerData), ...own };
  }
  if (item.type === 'reasoning') {
    const data = (item.providerData ?? {}) as Json;
    const sealed = data.encrypted_content ?? data.encryptedContent;
    // Models behind chat completions have the text of their reasoning here, others in the provider's data.
    const content = item.rawContent ?? data.content;
    return {
      type: 'reasoning',
      ...known,
      summary: item.content.map(({ text }) => ({ type: 'summary_text', text })),
      ...(Array.isArray(content) ? { content } : {}),
      ...(typeof sealed === 'string' ? { encrypted_content: sealed } : {}),
    };
  }
  if (item.type === 'unknown') return { ...(item.providerData as Json), ...known };
  return builtInItem({ ...head, ...known });
}

/**
 * Over chat completions the SDK gives every message and call of an answer the id of the completion. One id cannot name
 * several messages of a thread. Ids that the Responses API makes for these items begin with `msg` and `fc`.
 */
function isOfCompletion(id: string, item: AgentInputItem): boolean {
  if (item.type === 'function_call') return ofCaller.test(id) && !id.startsWith('fc');
  const isAnswer = 'role' in item && item.role === 'assistant';
  return isAnswer && ofCaller.test(id) && !id.startsWith('msg');
}

/** Calls and results of built-in tools have the provider's fields in camel case, and others in `providerData`. */
function builtInItem({ providerData, ...item }: Json): Json {
  const { type: ownType, ...data } = (providerData ?? {}) as Json;
  const type = item.type === 'hosted_tool_call' ? (ownType ?? item.type) : item.type;
  const all = inSnakeCase({ ...data, ...item }) as Json;
  return { ...all, type: String(type).replace(/_call_result$/, '_call_output') };
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
        const { name, arguments: args, namespace, caller } = item;
        return {
          type,
          callId,
          name,
          arguments: args,
          status,
          ...given({ namespace }),
          ...callerOf(caller),
          ...providerDataOf(item),
        };
      }
      case 'function_call_output':
        return {
          type: 'function_call_result',
          callId,
          name: toolName,
          status,
          output: resultOfResponses(item.output),
          ...callerOf(item.caller),
          ...providerDataOf(item),
        };
      case 'reasoning': {
        const { summary, encrypted_content: sealed, content: raw } = item;
        const content = (Array.isArray(summary) ? (summary as Json[]) : []).map(({ text }) => ({
          type: 'input_text',
          text,
        }));
        // Chat completions give no id.
        const isChats = raw !== undefined && typeof id !== 'string';
        const providerData = given({ encrypted_content: sealed, content: isChats ? undefined : raw });
        return {
          type,
          content,
          ...(isChats ? { rawContent: raw } : {}),
          ...(Object.keys(providerData).length === 0 ? {} : { providerData }),
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
