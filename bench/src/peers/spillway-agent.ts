import { apiOf } from '@spillway/testing';
import { askModel } from './ask-model.js';
import { agentModel } from './model.js';
import { serveTurns } from './serve-turns.js';

interface Options {
  url: string;
  key: string;
  modelUrl: string;
  policy: object;
}

/** Of the answer to an append with `?context=true`. */
interface Posted {
  context?: { messages: unknown[] } | null;
}

const thread = 'peers';

/** The loop of docs/agents.md: what the user says is posted and the context comes back, then the reply is posted. */
await serveTurns<Options>(async ({ url, key, modelUrl, policy }) => {
  const api = apiOf({ url, key });
  await api.createThread({ id: thread, policy });
  return async (text) => {
    const path = `/v1/threads/${thread}/messages?context=true`;
    const message = { role: 'user', content: text };
    const posted = await api.call<Posted>('POST', path, { messages: [message] });
    const context = posted.body.context;
    if (posted.status >= 300 || !context) throw new Error(`${posted.status} ${JSON.stringify(posted.body)}`);
    const reply = await askModel(modelUrl, agentModel, context.messages);
    await api.append(thread, reply);
    return reply.content;
  };
});
