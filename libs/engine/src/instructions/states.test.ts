import { describe, expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { instructionsIn } from './instructions-in.js';
import type { Instruction } from './instruction.js';
import { withStates } from './states.js';

/** The instructions of messages of the user, one sentence or more each. */
const thread = (...messages: string[]): Instruction[] =>
  messages.flatMap((text, i) => instructionsIn({ seq: i + 1, role: 'user', name: null, speech: text }));
const statesOf = (instructions: readonly Instruction[]) =>
  withStates(instructions)
    .filter((one) => one.kind !== 'ending' && one.state !== 'possible')
    .map(({ seq, state, retiredBySeq }) => [seq, state, retiredBySeq]);
/** Of what may be an instruction: its message, and the one after which it is shown no more. */
const possibleOf = (instructions: readonly Instruction[]) =>
  withStates(instructions)
    .filter((one) => one.state === 'possible')
    .map(({ seq, retiredBySeq }) => [seq, retiredBySeq]);

describe('a newer instruction on the same matter retires the older one', () => {
  test.each([
    ['Answer in German from now on.', 'Please answer in English from now on.'],
    ['Keep your answers under 100 words.', 'Keep your answers under 200 words from now on.'],
    ['Never push to main.', 'You may push to main again from now on.'],
    ['Call me Sam.', 'Call me Samantha from now on.'],
    ['My budget is $800.', 'My budget is $1,200 now.'],
    ['Give all amounts in euros.', 'Give all amounts in Swiss francs instead, CHF.'],
    ["Don't touch the tests.", 'You may change the tests now, whenever you need to.'],
    ['Book aisle seats for all my flights.', 'I prefer window seats from now on.'],
    ["Don't use emojis in mails.", 'You may use emojis in all texts again from now on.'],
    ['Never touch the legacy folder.', 'The legacy folder is no longer off limits, edit it freely.'],
    ['Never deploy on Fridays.', 'Deploying on Fridays is fine again.'],
    ['Always add a summary at the end.', 'Stop adding summaries at the end.'],
  ])('%s / %s', (older, newer) => {
    expect(statesOf(thread(older, newer))).toEqual([
      [1, 'retired', 2],
      [2, 'active', null],
    ]);
  });
});

describe('a newer one that is likely to replace the older, and does not say so, retires it as one that may hold', () => {
  test.each([
    ['Use Zoom for external calls.', 'External calls are in Teams.'],
    ['Always send the invoices to Anna.', 'Always send the invoices to Pavel.'],
    ['Save figures as PNG files.', 'Always save figures as SVG files.'],
  ])('%s / %s', (older, newer) => {
    const [one, other] = withStates(thread(older, newer));
    expect(one).toMatchObject({ seq: 1, state: 'retired', retiredBySeq: 2, mayHold: true });
    expect(other).toMatchObject({ seq: 2, state: 'active', retiredBySeq: null, mayHold: false });
  });

  test('what ends it for certain afterwards leaves no doubt', () => {
    const all = thread(
      'Always send the invoices to Anna.',
      'Always send the invoices to Pavel.',
      'Stop sending the invoices to Anna.',
    );
    expect(withStates(all)[0]).toMatchObject({ state: 'retired', retiredBySeq: 3, mayHold: false });
  });

  test('a person who approves it keeps it, until something newer is said', () => {
    const [older, newer] = thread('Always send the invoices to Anna.', 'Always send the invoices to Pavel.');
    const approved = { ...older!, decision: { state: 'active' as const, atSeq: 2 } };
    expect(withStates([approved, newer!]).map(({ state }) => state)).toEqual(['active', 'active']);
    const [newest] = thread('', '', 'Always send the invoices to Miriam.').filter(({ seq }) => seq === 3);
    expect(withStates([approved, newer!, newest!])).toMatchObject([
      { state: 'retired', retiredBySeq: 3, mayHold: true },
      { state: 'retired', retiredBySeq: 3, mayHold: true },
      { state: 'active' },
    ]);
  });
});

describe('instructions on other matters stand side by side', () => {
  test.each([
    ['Never push to main.', 'Never email the customer.'],
    ['Answer in German.', 'Write commit messages in English.'],
    ['Keep your answers under 100 words.', 'My budget is $800.'],
    ["Don't touch the tests.", 'Ask me before you delete anything.'],
    ['Use "we", not "I", when you write for the shop.', 'Never call me, write instead.'],
    ['Always double-check everything for typos.', 'Log everything from now on.'],
    ['My budget for hotels is 150 euros a night.', 'My budget for flights is 400 euros from now on.'],
    ['Never mention competitors.', 'Never mention internal prices from now on.'],
    ['Call me Fitz.', 'Never call me, write instead.'],
    ['Call me Fitz.', 'Call me only after five in the evening.'],
    ['I count on you not to tell anyone.', 'I count on you to catch my typos.'],
  ])('%s / %s', (a, b) => {
    expect(statesOf(thread(a, b)).map(([, state]) => state)).toEqual(['active', 'active']);
  });
});

describe('going back to what an instruction rules out replaces it', () => {
  test.each([
    ['Use 9090, not 8080.', 'Actually go back to 8080.'],
    ['Use 9090, not 8080.', 'Please revert to port 8080 from now on.'],
    ['Use port 9090 instead of port 8080.', 'Revert to 8080.'],
    ['Never use yarn.', "Let's go back to yarn."],
    ['Deploy to staging rather than production.', 'We are going back to production.'],
    ['Always write in French, never in German.', 'Switch back to German.'],
    ['Show the details, not the list page.', 'Go back to the list page.'],
    ['We switch from Jest to Vitest, so use that from now on.', 'Please revert to Jest.'],
    ['Answer without tables.', 'It is hard to read, go back to using tables.'],
  ])('%s / %s', (older, newer) => {
    const [one, other] = withStates(thread(older, newer));
    expect(one).toMatchObject({ seq: 1, state: 'retired', retiredBySeq: 2, mayHold: false });
    expect(other).toMatchObject({ seq: 2, state: 'active' });
  });

  test.each([
    ['Use 9090, not 8080.', 'Go back to the list page.'],
    ['Use 9090, not 8080.', 'Go back to 7070.'],
    ['Use 9090, not 8080.', 'Go back to 9090.'],
    ['Use 9090, not 8080.', 'Should I go back to 8080?'],
    ['Never delete page 12.', 'Go back to page 12.'],
    ['Always go over the list page first.', 'Go back to the list page.'],
    ['Never delete pages.', 'Go back to the pages.'],
    ['Never write to the list of orders.', 'Go back to the list of invoices.'],
  ])('and nothing else does for certain: %s / %s', (older, newer) => {
    const [one] = withStates(thread(older, newer));
    expect(one!.state === 'active' || one!.mayHold).toBe(true);
  });
});

test.each([
  ['Confirm every table reservation by text.', 'From now on confirm every cancellation by text as well.'],
  ['Tag mails from the bank red.', 'Tag mails from the school green instead of blue.'],
  ['No video in first calls with customers.', 'No recordings in first calls with customers now.'],
])('a rule ends nothing where the words of both speak against it: %s / %s', (older, newer) => {
  expect(statesOf(thread(older, newer))).toEqual([
    [1, 'active', null],
    [2, 'active', null],
  ]);
});

test('an instruction for a task goes when the task is finished', () => {
  const all = thread(
    'Until the migration is over, never deploy on Fridays.',
    'Fine.',
    'The migration is done now.',
  );
  expect(statesOf(all)).toEqual([[1, 'retired', 3]]);
});

test('what is over only for a time ends nothing', () => {
  const all = thread('Never enter the garden.', 'The garden is closed until the release.');
  expect(statesOf(all)).toContainEqual([1, 'active', null]);
});

test.each([
  ['Frag mich immer, bevor du etwas löschst.', 'Frag mich immer, bevor du etwas buchst.'],
  ['Du darfst niemals direkt auf main pushen.', 'Du sollst niemals den Ordner legacy anfassen.'],
  ['Ne supprime jamais de fichiers.', 'Ne supprime jamais de branches.'],
])('in another language likeness retires nothing for certain: %s %s', (older, newer) => {
  const [first] = withStates(thread(older, newer));
  expect(first!.state === 'active' || first!.mayHold).toBe(true);
});

test('the same words said again replace the older ones, also where they are many', () => {
  const words = 'Before anything else: only call after five in the evening.';
  expect(statesOf(thread(words, words))).toEqual([
    [1, 'retired', 2],
    [2, 'active', null],
  ]);
});

test('in another language the same words said again replace the older ones', () => {
  const all = thread('Ne supprime jamais de fichiers.', 'Ne supprime jamais de fichiers.');
  expect(statesOf(all)).toEqual([
    [1, 'retired', 2],
    [2, 'active', null],
  ]);
});

test('a dismissed instruction neither holds nor retires', () => {
  const [older, newer] = thread('Answer in German.', 'Answer in English from now on.');
  const dismissed = { ...newer!, decision: { state: 'dismissed' as const, atSeq: 2 } };
  expect(statesOf([older!, dismissed])).toEqual([
    [1, 'active', null],
    [2, 'dismissed', null],
  ]);
});

test('what a person approved is retired only by what was said after that', () => {
  const [older, newer, newest] = thread(
    'Answer in German.',
    'Answer in English from now on.',
    'Answer in French from now on.',
  );
  const approved = { ...older!, decision: { state: 'active' as const, atSeq: 2 } };
  expect(statesOf([approved, newer!]).map(([, state]) => state)).toEqual(['active', 'active']);
  expect(statesOf([approved, newer!, newest!]).map(([, state]) => state)).toEqual([
    'retired',
    'retired',
    'active',
  ]);
});

describe('what may be an instruction', () => {
  const possible = (words: string, seq: number): Instruction => ({
    ...thread('Answer in German.')[0]!,
    id: `${seq}-0`,
    seq,
    text: words,
    kind: 'possible',
  });

  test('retires nothing that holds beside it', () => {
    const [older] = thread('Minify release builds.');
    const all = [older!, possible('Sign release builds with the upload key.', 2)];
    expect(statesOf(all)).toEqual([[1, 'active', null]]);
    expect(possibleOf(all)).toEqual([[2, null]]);
  });

  test('is one where it clearly changes an older one, which may hold then', () => {
    const [older] = thread('Send the weekly report on Mondays.');
    const all = [older!, possible('Friday is better for the weekly report.', 2)];
    expect(statesOf(all)).toEqual([
      [1, 'retired', 2],
      [2, 'active', null],
    ]);
    expect(withStates(all)[0]!.mayHold).toBe(true);
    expect(statesOf([older!, possible('Is Friday better for the weekly report?', 2)])).toEqual([
      [1, 'active', null],
    ]);
  });

  test.each([
    ['Never book hotels outside the city.', 'Hotels outside the city are allowed now.', [[1, 'retired', 2]]],
    ['Never order from Acme.', 'You can order from Acme again.', [[1, 'retired', 2]]],
    ["Don't use emojis.", 'Emojis are okay again.', [[1, 'retired', 2]]],
    ["Don't use emojis.", 'Emojis are okay again?', [[1, 'active', null]]],
    ["Don't call me on weekends.", 'The weekends are long at the lake.', [[1, 'active', null]]],
  ])('lifts the ban that it is about, and no other: %s / %s', (ban, words, states) => {
    const [older, ...others] = thread(ban, 'Fine.');
    const newer = { ...older!, id: '2-0', seq: 2, text: words, kind: 'possible' as const };
    expect(statesOf([older!, ...others, newer])).toEqual(states);
  });

  test('the same words again end it, even if they name no matter', () => {
    const all = thread('Fix it.', 'fix  it.').map((one) => ({ ...one, kind: 'possible' as const }));
    expect(possibleOf(all)).toEqual([
      [1, 2],
      [2, null],
    ]);
    // One that binds may be about another thing each time.
    expect(statesOf(thread('Never do that.', 'Never do that.'))).toEqual([
      [1, 'active', null],
      [2, 'active', null],
    ]);
  });

  test.each([
    [
      'a newer instruction on the same matter',
      'Dinner is at eight.',
      'Dinner is at nine from now on, ignore what I said.',
    ],
    [
      'the end of what it was bound to',
      'Coffee stays off the desk until the release.',
      'The release is done now.',
    ],
    ['the same words said again', 'The owner is the platform group.', 'The owner is the platform group.'],
  ])('is ended by %s', (_, older, newer) => {
    const all = [
      ...thread(older).map((one) => ({ ...one, kind: 'possible' as const })),
      ...thread('Hm.', newer),
    ];
    expect(possibleOf(all)[0]).toEqual([1, 2]);
  });

  test('a newer one on another matter leaves it', () => {
    expect(possibleOf(thread('The garden gate stays open.', 'The owner is the platform group.'))).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  test('holds once a person approved it, as what its words demand, and not when it was dismissed', () => {
    const [one] = thread('No smoking near the shed.').map((it) => ({ ...it, kind: 'possible' as const }));
    const decided = (state: 'active' | 'dismissed') =>
      withStates([{ ...one!, decision: { state, atSeq: 1 } }])[0];
    expect(decided('active')).toMatchObject({ state: 'active', kind: 'prohibition' });
    expect(decided('dismissed')).toMatchObject({ state: 'dismissed', kind: 'possible' });
  });
});

test('the order in which rows come does not matter', () => {
  const all = thread('Answer in German.', 'Answer in English from now on.', 'Never push to main.');
  expect(withStates([...all].reverse())).toEqual(withStates(all));
});

test('a reminder that comes with each of 50,000 messages costs little, and leaves what was said before', () => {
  const reminders = Array.from({ length: 50_000 }, (_, i): Instruction => {
    const seq = i + 2;
    return {
      id: `${seq}-0`,
      seq,
      participant: null,
      text: 'Answer in German.',
      kind: 'format',
      source: 'found',
      decision: null,
    };
  });
  const all = [...thread('Never push to main.'), ...reminders];
  let holding: ReturnType<typeof withStates> = [];
  const took = threadMsOf(() => (holding = withStates(all).filter(({ state }) => state === 'active')));
  expect(took).toBeLessThan(2_000);
  expect(holding.map(({ seq }) => seq)).toEqual([1, 50_001]);
});

test('of two people in one thread neither has the last word on what the other one asked for', () => {
  const saidBy = (seq: number, name: string | null, text: string) =>
    instructionsIn({ seq, role: 'user', name, speech: text });
  const statesOf = (first: string | null, second: string | null) =>
    withStates([
      ...saidBy(1, first, 'Answer in German.'),
      ...saidBy(2, second, 'Answer in English from now on.'),
    ]).map(({ state, mayHold }) => ({ state, mayHold }));
  const newer = { state: 'active', mayHold: false };
  expect(statesOf('anna', 'ben')).toEqual([{ state: 'retired', mayHold: true }, newer]);
  expect(statesOf('anna', 'anna')).toEqual([{ state: 'retired', mayHold: false }, newer]);
  expect(statesOf('anna', null)).toEqual([{ state: 'retired', mayHold: false }, newer]);
});
