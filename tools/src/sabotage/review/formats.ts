import type { Guard } from '../guard.js';

const assemble = 'libs/engine/src/context/assemble.test.ts';
const showUnit = 'libs/engine/src/context/show-unit.test.ts';
const formats = 'test/formats/formats.test.ts';
const reasoning = 'test/properties/reasoning.test.ts';
const idempotency = 'test/messages/idempotency.test.ts';

/** What a provider is sent: it takes every context that is answered with 200. */
export const guardsOfFormats: Guard[] = [
  {
    name: 'parts of another format are refused',
    file: 'apps/api/src/messages/incoming-message.ts',
    find: 'refuseForeignParts(format, body);',
    replace: '',
    test: {
      file: formats,
      name: 'parts of another format are refused with their path and the format they look like',
    },
    findings: ['integration 5'],
  },
  {
    name: 'open calls are named',
    file: 'libs/engine/src/context/assemble.ts',
    find: 'pendingCalls(outline.shown.at(-1), bodies)',
    replace: '[]',
    test: { file: assemble, name: 'are named with the message that calls' },
    findings: ['integration 6'],
  },
  {
    name: 'messages that a provider refuses are mended',
    file: 'libs/engine/src/context/piece.ts',
    find: 'formats[showing.target].mend(stored.body)',
    replace: 'stored.body',
    test: { file: assemble, name: 'what a provider refuses is mended, and nothing else is changed' },
    findings: ['integration 6'],
  },
  {
    name: 'a context puts no two messages of the user in a row',
    file: 'libs/engine/src/context/context-writer.ts',
    find: 'if (asPosted && !this.alternate)',
    replace: 'if (!this.alternate)',
    test: {
      file: assemble,
      name: 'are kept apart by a word of the assistant when the context itself puts them so',
    },
    findings: ['integration 6'],
  },
  {
    name: 'a late result is put with its call',
    file: 'libs/engine/src/units/grouping.ts',
    find: 'if (step !== undefined) {',
    replace: 'if (step !== undefined && step === this.steps.length - 1) {',
    test: { file: assemble, name: 'puts a result that came after the user spoke with its call' },
    findings: ['integration 7'],
  },
  {
    name: 'results stand before words of the same message',
    file: 'libs/engine/src/formats/anthropic/mend.ts',
    find: '? resultsFirst(mended)',
    replace: '? mended',
    test: { file: showUnit, name: 'come after the results, where they were posted before them' },
  },
  {
    name: 'words wait for the results of all calls',
    file: 'libs/engine/src/context/show-unit.ts',
    find: "(i < last && piece.message.role === 'user')",
    replace: 'false',
    test: { file: showUnit, name: 'come after the results of a later message too' },
  },
  {
    name: 'a call gets an id that no earlier call of the context has',
    file: 'libs/engine/src/context/call-ids.ts',
    find: 'this.given.add(given);',
    replace: '',
    test: {
      file: showUnit,
      name: 'have ids that no other call has, and that do not change as the thread grows',
    },
  },
  {
    name: 'two calls with one id have a result each',
    file: 'libs/engine/src/units/open-calls.ts',
    find: 'if (open === 0)',
    replace: 'if (open >= 0)',
    test: { file: showUnit, name: 'of one step have an id and a result each: %s as %s' },
  },
  {
    name: 'a call that was repeated by mistake keeps no step open',
    file: 'libs/engine/src/units/open-calls.ts',
    find: 'return [...this.first];',
    replace: 'return [...this.first, ...this.repeated()];',
    test: { file: showUnit, name: 'are valid with one result for both, until the other comes: %s' },
  },
  {
    name: 'an offloaded error stays an error',
    file: 'libs/engine/src/formats/ai-sdk/ai-sdk.ts',
    find: "type.startsWith('error-')",
    replace: "type === ''",
    test: { file: formats, name: 'a failed tool call whose content was offloaded stays a failed one' },
    findings: ['integration 8'],
  },
  {
    name: 'reasoning behind a changed prefix is not sent',
    file: 'libs/engine/src/reasoning/reasoning.ts',
    find: "seq <= foldedThrough ? 'prefix_changed' : null",
    replace: 'null',
    test: {
      file: 'libs/engine/src/reasoning/reasoning.test.ts',
      name: 'reasoning from before the summary is left out: the summary is not what its model saw',
    },
  },
  {
    name: 'reasoning of another model is not sent',
    file: 'libs/engine/src/reasoning/reasoning.ts',
    find: 'maker !== null && model !== null && maker !== model',
    replace: 'maker === undefined',
    test: {
      file: reasoning,
      name: 'signed reasoning that is shown always holds, whatever is folded, interrupted or switched',
    },
  },
  {
    name: 'a replay is answered when the stored media cannot be read',
    file: 'libs/service/src/messages/append-again.ts',
    find: 'loadMedia(rt, projectId, repeated.map(withReferences)).catch(',
    replace: 'loadMedia(rt, projectId, repeated.map(withReferences)).finally(',
    test: { file: idempotency, name: 'a replay is answered while the stored media cannot be read' },
  },
];
