import type { Guard } from '../guard.js';

const gemini = 'test/proxies/gemini/gemini.test.ts';
const inputs = 'test/proxies/inputs/gemini-inputs.test.ts';
const content = 'libs/service/src/proxies/gemini-content.ts';
const refusals = '%s is refused in the form of Google';
const rest =
  'the rest of an answer goes on behind the context that it began with, and is recorded with its beginning';

/** What holds between an agent and Google's API. */
export const guardsOfGemini: Guard[] = [
  {
    name: 'contents that Google keeps are refused',
    file: content,
    find: 'if (isGiven(body.cachedContent))',
    replace: 'if (false)',
    test: { file: gemini, name: refusals },
  },
  {
    name: 'a result whose call nobody knows is refused',
    file: content,
    find: 'if (called !== undefined)',
    replace: 'if (false)',
    test: { file: gemini, name: 'a result alone is that of its id, and without one it is refused' },
  },
  {
    name: 'an answer of Gemini that ends with an error is not recorded',
    file: content,
    find: 'if (this.hasFailed)',
    replace: 'if (false)',
    test: { file: gemini, name: 'because it %s is passed on, and not recorded' },
  },
  {
    name: 'an answer of Gemini that ends without a reason is not recorded',
    file: content,
    find: "this.finishReason !== undefined && this.finishReason !== 'CONTINUATION'",
    replace: "this.finishReason !== 'CONTINUATION'",
    test: { file: gemini, name: 'because it %s is passed on, and not recorded' },
  },
  {
    name: 'the beginning of an answer of Gemini is not recorded without its rest',
    file: content,
    find: "this.finishReason !== undefined && this.finishReason !== 'CONTINUATION'",
    replace: 'this.finishReason !== undefined',
    test: { file: gemini, name: rest },
  },
  {
    name: 'the rest of an answer belongs to the context that it began behind',
    file: 'libs/service/src/proxies/proxy-turn.ts',
    find: 'asked.isRest ? contextOfAnswer : contextThrough',
    replace: 'contextThrough',
    test: { file: gemini, name: rest },
  },
  {
    name: 'names with underscores in arguments and schemas are the caller’s',
    file: 'libs/service/src/proxies/gemini-names.ts',
    find: 'within[of]?.includes(to) ? listed(field, to) : field',
    replace: 'listed(field, to)',
    test: {
      file: gemini,
      name: 'a request with the names that Google takes as well is read like the others',
    },
  },
  {
    name: 'errors of the routes of Google have its form',
    file: 'apps/api/src/proxies/google-error.ts',
    find: "url.startsWith('/v1beta/')",
    replace: 'url === null',
    test: { file: gemini, name: refusals },
  },
  {
    name: 'arguments that a model of Google wrote are not refused',
    file: 'apps/api/src/http/json/json-limits.ts',
    find: "['contents', 'parts', 'functionCall', 'args'],",
    replace: '',
    test: {
      file: inputs,
      name: 'that sends the text of the model back, and whose thread does not have the call yet',
    },
  },
  {
    name: 'a call whose arguments became a text is the recorded one',
    file: 'libs/client/src/agent/gemini/call-ids.ts',
    find: 'hashOf(name + textOf(args))',
    replace: 'hashOf(name + JSON.stringify(args))',
    test: { file: inputs, name: 'that sends the content back as its SDK read it' },
  },
];
