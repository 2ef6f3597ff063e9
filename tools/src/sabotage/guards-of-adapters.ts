import type { Guard } from './guard.js';

const conformance = 'test/agents/adapters/conformance.test.ts';
const anthropic = 'libs/adapters/anthropic/src/spillway.ts';
const besideAnthropic = 'libs/adapters/anthropic/src/spillway.test.ts';
const contentsOfKit = 'libs/adapters/adk/src/contents.ts';
const besideContents = 'libs/adapters/adk/src/contents.test.ts';

/** What adapters record, and what they do not send. */
export const guardsOfAdapters: Guard[] = [
  {
    name: 'an adapter does not take a refusal of Spillway for an outage',
    file: 'libs/client/src/agent/availability.ts',
    find: 'throw error;',
    replace: 'this.down(error);',
    test: { file: conformance, name: 'A wrong key is an error, not an outage' },
  },
  {
    name: 'an adapter records what is new in a step, not the context that the step was sent',
    file: 'libs/adapters/ai-sdk/src/thread.ts',
    find: '...messages.slice(this.sent)',
    replace: '...messages',
    test: { file: conformance, name: 'Parallel calls and their results are recorded once, as pairs' },
  },
  {
    name: 'an adapter gives the thread the schemas of its tools',
    file: 'libs/client/src/agent/agent-thread.ts',
    find: 'if (tools !== undefined)',
    replace: 'if (false)',
    test: {
      file: conformance,
      name: 'The thread has the model, the system prompt and all tools that the model is sent',
    },
  },
  {
    name: 'Anthropic does not get the name of the thread',
    file: anthropic,
    find: 'headers.delete(threadHeader);',
    replace: '',
    test: { file: besideAnthropic, name: 'the thread is named by a header, which Anthropic does not get' },
  },
  {
    name: 'a request without its history is not taken for the history',
    file: anthropic,
    find: 'if (body.thread !== undefined && body.thread !== null)',
    replace: 'if (false)',
    test: {
      file: besideAnthropic,
      name: 'a request that continues a conversation at Anthropic is refused before anything is sent',
    },
  },
  {
    name: 'another call in the same place of a session of the kit has another id',
    file: contentsOfKit,
    find: 'hashOf(name + JSON.stringify(args))',
    replace: 'hashOf(name)',
    test: {
      file: besideContents,
      name: 'are the same each time, whatever follows, and others where something else is called',
    },
  },
  {
    name: 'a call that is shown shortened goes to Gemini with its signature',
    file: contentsOfKit,
    find: '...(thoughtSignature === undefined ? {} : { thoughtSignature })',
    replace: '',
    test: {
      file: besideContents,
      name: 'thoughts that the context leaves out are not sent, and the signature of a call is',
    },
  },
];
