import type { Guard } from './guard.js';

const conformance = 'test/agents/adapters/conformance.test.ts';
const anthropic = 'libs/adapters/anthropic/src/spillway.ts';
const besideAnthropic = 'libs/adapters/anthropic/src/spillway.test.ts';
const gemini = 'libs/client/src/agent/gemini/';
const besideContents = `${gemini}contents.test.ts`;
const genAi = 'libs/adapters/google-genai/src/';
const besideGenAi = 'test/agents/adapters/google-genai.test.ts';

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
    name: 'another call in the same place of a conversation with Gemini has another id',
    file: `${gemini}call-ids.ts`,
    find: 'hashOf(name + textOf(args))',
    replace: 'hashOf(name)',
    test: {
      file: besideContents,
      name: 'are the same each time, whatever follows, and others where something else is called',
    },
  },
  {
    name: 'a call that is shown shortened goes to Gemini with its signature',
    file: `${gemini}parts.ts`,
    find: '...(thoughtSignature === undefined ? {} : { thoughtSignature })',
    replace: '',
    test: {
      file: besideContents,
      name: 'thoughts that the context leaves out are not sent, and the signature of a call is',
    },
  },
  {
    name: 'pieces of a streamed answer of Gemini are one content',
    file: `${gemini}whole-answers.ts`,
    find: "else if (last?.role === 'model')",
    replace: 'else if (false)',
    test: {
      file: besideGenAi,
      name: 'a streamed answer that says something before its calls goes back as one content',
    },
  },
  {
    name: 'an answer of Gemini that the SDK continues is recorded at its end',
    file: `${genAi}spillway.ts`,
    find: 'if (!isWhole || ',
    replace: 'if (',
    test: {
      file: besideGenAi,
      name: 'is one message, behind what it began with',
    },
  },
  {
    name: 'an answer of Gemini goes on behind what it began with',
    file: `${genAi}spillway.ts`,
    find: 'before?.parts ?? []',
    replace: '[]',
    test: {
      file: besideGenAi,
      name: 'is one message, behind what it began with',
    },
  },
  {
    name: 'a function of Gemini gets its own calls alone',
    file: `${genAi}tools.ts`,
    find: 'found.get(name)?.tool === tool',
    replace: 'found.has(name)',
    test: {
      file: 'libs/adapters/google-genai/src/spillway.test.ts',
      name: 'each function gets its own calls, and the caller’s function of a reader’s name stays',
    },
  },
];
