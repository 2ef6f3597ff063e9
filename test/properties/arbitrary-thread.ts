import { formatNames, type FormatName, type Message, type Part, type PolicyInput } from '@spillway/engine';
import fc from 'fast-check';

/** What an agent, a user or a broken client may post next, in no format yet. */
const word = fc.constantFrom(
  'word ',
  'path/to/file.ts:12 ',
  '日本語 ',
  '👩‍👩‍👧 ',
  '\n',
  '{"a": [1, 2]} ',
  '\u001b[31m',
);
const text = fc
  .record({ word, times: fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 60 }) }, fc.nat({ max: 500 })) })
  .map(({ word, times }) => word.repeat(times));
const huge = fc.nat({ max: 20_000 }).map((times) => 'huge '.repeat(times));
const callId = fc.oneof(
  { weight: 9, arbitrary: fc.nat({ max: 6 }).map((n) => `call_${n}`) },
  fc.constantFrom('toolu.1:x', 'id with spaces', '日本'),
);

const textPart = text.map((content): Part => ({ type: 'text', text: content }));
const image = fc.constantFrom<Part>(
  { type: 'media', kind: 'image', source: { url: 'https://example.com/a.png' }, mediaType: null, name: null },
  { type: 'media', kind: 'image', source: { data: 'iVBORw0KGgo=' }, mediaType: 'image/png', name: null },
);
const file = fc.constantFrom<Part>(
  { type: 'media', kind: 'file', source: { data: 'JVBERi0=' }, mediaType: 'application/pdf', name: 'a.pdf' },
  { type: 'media', kind: 'file', source: { data: 'JVBERi0=' }, mediaType: 'application/pdf', name: null },
  {
    type: 'media',
    kind: 'file',
    source: { url: 'https://example.com/a.pdf' },
    mediaType: 'application/pdf',
    name: 'a.pdf',
  },
  { type: 'media', kind: 'file', source: { fileId: 'file-1' }, mediaType: null, name: null },
  { type: 'media', kind: 'audio', source: { data: 'UklGRg==' }, mediaType: 'audio/wav', name: null },
);
const call = fc
  .record({ id: callId, input: fc.constantFrom('{}', '{"path": "a.ts"}', 'not json', '[1]', '') })
  .map(({ id, input }): Part => ({ type: 'call', id, name: 'run', input, custom: false }));
const result = fc
  .record({
    callId,
    parts: fc.array(fc.oneof({ weight: 6, arbitrary: textPart }, image), { maxLength: 3 }),
    isError: fc.boolean(),
  })
  .map((of): Part => ({ type: 'result', name: null, ...of }));

const approved = { type: 'tool-approval-response', approvalId: 'approval', approved: true };
/** Only the AI SDK has approvals: in the other formats nothing is posted. */
const approval: Part = {
  type: 'other',
  label: approved.type,
  value: approved,
  native: { format: 'ai-sdk', raw: approved },
};

const by = (role: Message['role'], parts: fc.Arbitrary<Part[]>): fc.Arbitrary<Message> =>
  parts.map((made) => ({ role, name: null, parts: made }));
const some = (part: fc.Arbitrary<Part>, maxLength: number) => fc.array(part, { minLength: 1, maxLength });

const message: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 5,
    arbitrary: by(
      'user',
      fc.tuple(textPart).map((parts) => [...parts]),
    ),
  },
  { weight: 1, arbitrary: by('user', some(fc.oneof(textPart, image, file), 4)) },
  { weight: 4, arbitrary: by('assistant', some(textPart, 2)) },
  {
    weight: 7,
    arbitrary: by(
      'assistant',
      fc
        .tuple(fc.array(textPart, { maxLength: 1 }), some(call, 4))
        .map(([texts, calls]) => [...texts, ...calls]),
    ),
  },
  { weight: 8, arbitrary: by('tool', some(result, 1)) },
  { weight: 3, arbitrary: by('tool', some(result, 4)) },
  {
    weight: 2,
    arbitrary: by(
      'tool',
      fc.array(result, { maxLength: 2 }).map((results): Part[] => [approval, ...results]),
    ),
  },
  // Words of the user before or after results, in one message where a format has such.
  {
    weight: 2,
    arbitrary: by(
      'user',
      fc
        .tuple(some(result, 2), textPart, fc.boolean())
        .map(([results, words, first]) => (first ? [words, ...results] : [...results, words])),
    ),
  },
  { weight: 1, arbitrary: by('assistant', fc.constant([{ type: 'refusal', text: 'I will not.' }])) },
  {
    weight: 1,
    arbitrary: by(
      'user',
      huge.map((texts): Part[] => [{ type: 'text', text: texts }]),
    ),
  },
  {
    weight: 1,
    arbitrary: by(
      'tool',
      huge.map((texts): Part[] => [
        {
          type: 'result',
          callId: 'call_0',
          name: null,
          parts: [{ type: 'text', text: texts }],
          isError: false,
        },
      ]),
    ),
  },
  { weight: 1, arbitrary: by('system', some(textPart, 1)) },
);

export interface Posted {
  message: Message;
  pinned: boolean;
  /** Posted in another format than the thread's. */
  stray: FormatName | null;
}

export interface Life {
  format: FormatName;
  steps: Posted[];
  policy: PolicyInput;
  window: number;
  target: FormatName;
}

const format = fc.constantFrom(...formatNames);

export const life: fc.Arbitrary<Life> = fc.record({
  format,
  target: format,
  steps: fc.array(
    fc.record({
      message,
      pinned: fc.constantFrom(false, false, false, false, false, true),
      stray: fc.oneof({ weight: 30, arbitrary: fc.constant(null) }, format),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  policy: fc.record({
    context: fc.record({
      trigger_ratio: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
      reserve_ratio: fc.double({ min: 0, max: 0.5, noNaN: true }),
      keep_recent_turns: fc.option(fc.nat({ max: 6 })),
      min_reclaim_ratio: fc.double({ min: 0, max: 0.5, noNaN: true }),
      max_images: fc.nat({ max: 5 }),
      keep_tool_results: fc.option(fc.nat({ max: 4 })),
    }),
  }),
  window: fc.oneof(fc.integer({ min: 400, max: 20_000 }), fc.integer({ min: 5_000, max: 100_000 })),
});
