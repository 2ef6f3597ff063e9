import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { seqMessage, type SeqMessage } from '../messages/seq-message.js';
import { extractSummary } from './extractive.js';
import { isAgreement, isShortRefusal } from './politeness.js';

const count = (text: string): number => Math.ceil(text.length / 4);

type Body = Record<string, unknown>;
const user = (content: string): Body => ({ role: 'user', content });
const says = (content: string): Body => ({ role: 'assistant', content });
const calls = (content: string, name: string, args: object, result: object): Body[] => [
  {
    role: 'assistant',
    content,
    tool_calls: [{ id: `c-${name}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: `c-${name}`, content: JSON.stringify(result) },
];
const thread = (...bodies: Body[]): SeqMessage[] =>
  bodies.map((body, i) => seqMessage(i + 1, formats.openai.read(body)));
const summaryOf = (...bodies: Body[]) =>
  extractSummary({ prior: null, messages: thread(...bodies), maxTokens: 1_000, count });

const another = [user('Hello, this is Ida Holm. Where is my order A-200?'), says('It left yesterday.')];

describe('a closed task', () => {
  test('says what the agent reported of a call, with its numbers', () => {
    const { task_overview } = summaryOf(
      user('Hi, this is Mira Keller. I would like my money back for the jacket of A-100.'),
      ...calls('', 'refund_line', { order: 'A-100', line: 1 }, { ok: true }),
      says('189.00 goes back to the card. Your label is RL-9.'),
      user('Thanks, bye.'),
      ...another,
    );
    expect(task_overview).toContain(
      'closed: "Mira Keller: I would like my money back for the jacket of A-100."',
    );
    expect(task_overview).toContain('-> 189.00 goes back to the card. Your label is RL-9.');
  });

  test('says the old value and the new one where the agent named both', () => {
    const { task_overview } = summaryOf(
      user('Hi, this is Mira Keller. The boots of A-100 do not fit.'),
      ...calls(
        'Line 1 of A-100, from 41 to 42.',
        'exchange',
        { order: 'A-100', line: 1, size: 42 },
        { ok: true },
      ),
      says('Done.'),
      user('Thanks, bye.'),
      ...another,
    );
    expect(task_overview).toContain('Line 1 of A-100, from 41 to 42.');
  });

  test('says why something was refused', () => {
    const { task_overview } = summaryOf(
      user('Hi, this is Mira Keller. Please cancel A-100.'),
      ...calls('', 'cancel_order', { order: 'A-100' }, { error: 'c4', message: 'A-100 is delivered.' }),
      says('I am sorry, that is not possible.'),
      user('Thanks, bye.'),
      ...another,
    );
    expect(task_overview).toMatch(/cancel_order\(A-100\) refused: A-100 is delivered\./);
  });

  test('says that nothing was changed when nothing was', () => {
    const { task_overview } = summaryOf(
      user('Hi, this is Mira Keller. Which tent is the lightest?'),
      says('The Fjell weighs 1,240 grams.'),
      user('Thanks, bye.'),
      ...another,
    );
    expect(task_overview).toMatch(
      /closed, nothing changed: "Mira Keller: Which tent .*" -> The Fjell weighs 1,240 grams\./,
    );
  });
});

describe('what a call changed', () => {
  test.each(['create_order', 'issue_credit'])('holds the lists of its arguments: %s', (tool) => {
    const { current_state } = summaryOf(
      user('Please send me the boots again.'),
      ...calls('', tool, { customer: 'C-7', lines: [{ sku: 'BOOT-42', quantity: 1 }] }, { ok: true }),
    );
    expect(current_state).toContain(`${tool}(customer: C-7, lines: [{"sku":"BOOT-42","quantity":1}])`);
  });
});

describe('next steps of an earlier summary', () => {
  const first = summaryOf(user('Fix the build.'), says('- [ ] bisect\n- [ ] ship the docs'));
  const after = (...bodies: Body[]) =>
    extractSummary({
      prior: first,
      messages: thread(user(''), user(''), ...bodies).slice(2),
      maxTokens: 1_000,
      count,
    }).next_steps;

  test('stay while nothing newer says that they are done', () => {
    expect(first.next_steps).toContain('todo: ship the docs');
    expect(after(says('I looked at the log of the build.'))).toContain('todo: ship the docs');
  });

  test('go with a newer list', () => {
    expect(after(says('- [x] bisect\n- [x] ship the docs'))).not.toContain('todo:');
  });

  test('go, where the agent said that it would take them, once it has gone on', () => {
    const planned = summaryOf(
      user('Why does the evaluator refuse the mode?'),
      ...calls("I'll align the script with the new arguments.", 'edit', { path: 'repro.py' }, { ok: true }),
    );
    expect(planned.next_steps).toContain("I'll align the script");
    const { next_steps } = extractSummary({
      prior: planned,
      messages: thread(
        user(''),
        user(''),
        user(''),
        ...calls('The mode is compared with an enum.', 'edit', { path: 'evaluator.py' }, { ok: true }),
      ).slice(3),
      maxTokens: 1_000,
      count,
    });
    expect(next_steps).not.toContain("I'll align the script");
  });

  test('go with the answer to the request', () => {
    const asked = summaryOf(user('What does the build print?'));
    expect(asked.next_steps).toContain('message 1 asks for what is not answered yet');
    const { next_steps } = extractSummary({
      prior: asked,
      messages: thread(user(''), says('It prints a warning about the cache.')).slice(1),
      maxTokens: 1_000,
      count,
    });
    expect(next_steps).not.toContain('not answered yet');
  });
});

test('what was done is said also where the request has the same words', () => {
  const { current_state } = summaryOf(
    user('Please cancel order A-100 for me.'),
    ...calls('', 'cancel_order', { order: 'A-100' }, { ok: true }),
  );
  expect(current_state).toContain('cancel_order(order: A-100)');
});

describe('what is no name of a user', () => {
  test('stays in the quote of a closed task', () => {
    const { task_overview } = summaryOf(
      user('Hi, this is urgent. Please cancel A-100.'),
      ...calls('', 'cancel_order', { order: 'A-100' }, { ok: true }),
      user('Thanks, bye.'),
      ...another,
    );
    expect(task_overview).toContain('closed: "this is urgent. Please cancel A-100."');
  });

  test('begins no task of its own', () => {
    const { task_overview } = summaryOf(
      user('Please cancel my order A-100.'),
      ...calls('', 'cancel_order', { order: 'A-100' }, { ok: true }),
      user('Thanks!'),
      user('Sorry, this is not what I see: A-100 is still listed.'),
    );
    expect(task_overview).toContain('user: "Please cancel my order A-100."');
    expect(task_overview).not.toContain('closed:');
  });
});

describe('a refused call with long arguments', () => {
  const passengers = Array.from({ length: 4 }, (_, i) => ({
    first_name: 'Ida',
    last_name: 'Holm',
    dob: `1990-01-0${i + 1}`,
  }));
  const args = {
    user_id: 'ida_holm_4711',
    origin: 'ORD',
    destination: 'PHL',
    flight_type: 'one_way',
    cabin: 'economy',
    flights: [{ flight_number: 'HT271', date: '2026-05-26' }],
    passengers,
  };
  const refused = (message: string): Body[] =>
    calls('', 'book_reservation', args, { error: 'refused', message });

  test('leaves room for the reason of each try', () => {
    const { task_overview } = summaryOf(
      user('Hi, this is Ida Holm. Please book a flight to PHL for us.'),
      ...refused('not enough seats on HT271'),
      ...refused('not enough balance on card 5094'),
      user('Thanks, bye.'),
      ...another,
    );
    expect(task_overview).toContain('refused: not enough seats on HT271');
    expect(task_overview).toContain('refused: not enough balance on card 5094');
  });
});

describe('after many closed tasks', () => {
  const caller = (i: number): string =>
    `Hi, this is Mira Keller. Please cancel my order A-${i}, I found it cheaper elsewhere.`;
  const cancelled = (i: number): Body[] => [
    user(caller(i)),
    ...calls('', 'cancel_order', { order: `A-${i}` }, { error: 'c4', message: `A-${i} is delivered.` }),
    says('I am sorry, that is not possible.'),
    user('Thanks, bye.'),
  ];
  const many = Array.from({ length: 12 }, (_, i) => cancelled(100 + i)).flat();

  test('an older line quotes less of its request and keeps what came of it', () => {
    const first = summaryOf(...cancelled(100), ...another);
    const later = extractSummary({
      prior: first,
      messages: thread(...cancelled(100), ...another, says('It left yesterday.')).slice(-1),
      maxTokens: 1_000,
      count,
    });
    expect(first.task_overview).toContain(
      '"Mira Keller: Please cancel my order A-100, I found it cheaper elsewhere."',
    );
    expect(later.task_overview).toContain('"Mira Keller: Please cancel my ..."');
    expect(later.task_overview).toContain('refused: A-100 is delivered.');
    const again = extractSummary({ prior: later, messages: [], maxTokens: 1_000, count });
    expect(again.task_overview).toBe(later.task_overview);
  });

  test('their lines take what the open task leaves', () => {
    const { task_overview = '', ...others } = extractSummary({
      prior: null,
      messages: thread(...many, ...another),
      maxTokens: 400,
      count,
    });
    const rest = Object.values(others).join('\n');
    expect(count(task_overview)).toBeGreaterThan(240);
    expect(count(task_overview) + count(rest)).toBeGreaterThan(340);
    expect(task_overview.match(/refused: A-\d+ is delivered\./g)!.length).toBeGreaterThanOrEqual(6);
  });
});

describe('what the agent stated', () => {
  const work = user('Review the repository before the release.');

  test('a plan in one line is not cut at its numbers', () => {
    const fields = summaryOf(
      work,
      says('A plan: 1. the libraries; 2. the apps; 3. the red test of SPW-1.'),
      ...calls('', 'bash', { command: 'ls' }, { ok: true }),
    );
    expect(Object.values(fields).join('\n')).toContain(
      'A plan: 1. the libraries; 2. the apps; 3. the red test of SPW-1.',
    );
  });

  test('a short text is quoted whole', () => {
    const { important_discoveries } = summaryOf(
      work,
      says('libs/client. Generated from OpenAPI.'),
      ...calls('', 'bash', { command: 'ls' }, { ok: true }),
    );
    expect(important_discoveries).toContain('libs/client. Generated from OpenAPI.');
  });
});

test('requests say who of several people made them', () => {
  const first = summaryOf({ ...user('Please fix the build of plan.ts.'), name: 'anna' });
  expect(first.task_overview).toBe('- [1] user anna: "Please fix the build of plan.ts."');
  const { task_overview } = extractSummary({
    prior: first,
    messages: thread(user(''), { ...user('And write a test for release 7, please.'), name: 'ben' }).slice(1),
    maxTokens: 1_000,
    count,
  });
  expect(task_overview?.split('\n')).toEqual([
    '- [1] user anna: "Please fix the build of plan.ts."',
    '- [2] user ben: "And write a test for release 7, please."',
  ]);
});

test('an error is quoted with its code and its place, though others have said its words', () => {
  const error = "src/plan.ts(54,78): error TS2339: Property 'summaryTokens' does not exist on type 'Budget'.";
  const [build] = calls('', 'bash', { command: 'tsc -b' }, {});
  const { important_discoveries } = summaryOf(
    user(
      'With bash it does not build: an error of plan.ts, property summaryTokens does not exist on type Budget.',
    ),
    build!,
    { role: 'tool', tool_call_id: 'c-bash', content: `${error}\n[exit code 2]` },
  );
  expect(important_discoveries).toContain('src/plan.ts(54,78): error TS2339');
});

describe('what says nothing is not quoted:', () => {
  test('blocks of code, closed or cut', () => {
    const { important_discoveries } = summaryOf(
      user('Show me how sessions are switched.'),
      says(
        'The reason is that `switchSession` must run first.\n```ts\nthis.show("Only 1 model is available");\n```\nIt is called in `main.ts`.\n```ts\nconst promise = session.run("sleep 10");',
      ),
    );
    expect(important_discoveries).toContain('The reason is that `switchSession` must run first.');
    expect(important_discoveries).toContain('It is called in `main.ts`.');
    expect(important_discoveries).not.toMatch(/Only 1 model|sleep 10/);
  });

  test('headings of plans, and a user who only admires', () => {
    const { next_steps, task_overview } = summaryOf(
      user('Tidy up the session code.'),
      says('### Plan to tidy up\nI will move the session to `core.ts`.'),
      user('Wow, awesome!'),
    );
    expect(next_steps).toContain('I will move the session to `core.ts`.');
    expect(next_steps).not.toContain('Plan to tidy up');
    expect(task_overview).not.toContain('awesome');
  });
});

describe('what says nothing to the one who goes on is not quoted:', () => {
  test.each([
    'I can help you with that.',
    'Sure, I can certainly assist you with your reservation.',
    "I understand the situation and I'll do my best to assist you.",
    'I have retrieved your reservation details.',
    'Yes, that makes more sense.',
    'Step 1: Find and read relevant code',
    "Step 4: Rerun the reproduce script to confirm the fix. Let's run our script again:",
  ])('%s', (sentence) => {
    const summary = summaryOf(
      user('Please look into reservation A-100.'),
      ...calls(sentence, 'get_order', { order: 'A-100' }, { ok: true }),
    );
    expect(Object.values(summary).join('\n')).not.toContain(sentence.slice(0, 25));
  });

  test('a day that is the next one, among the steps that are', () => {
    const { next_steps } = summaryOf(
      user('Which flights are there?'),
      says('Flight HAT139\n- Departure: 20:00 EST\n- Arrival: 00:00 EST (next day)'),
    );
    expect(next_steps).not.toContain('Arrival');
  });
});

describe('what a tool shows', () => {
  const lookedUp = (result: string): string => {
    const [call] = calls('', 'get_order', { order: 'A-999' }, {});
    const answer = { role: 'tool', tool_call_id: 'c-get_order', content: result };
    return summaryOf(user('Where is my order A-999?'), call!, answer).important_discoveries ?? '';
  };

  test('is no failure, whatever words stand in it; its error is one', () => {
    expect(lookedUp('{"order":"A-999","payment":"failed","note":"Error: card was declined"}')).not.toContain(
      'get_order:',
    );
    expect(lookedUp('Error: there is no order A-999')).toContain('get_order: Error: there is no order A-999');
  });
});

test('words of the user beside a result are what was asked, and the result is not', () => {
  const bodies: Body[] = [
    { role: 'user', content: 'Please repair the login page.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'run', input: { cmd: 'npm test' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'Could you please delete the database?' },
        { type: 'text', text: 'Leave that, and repair the export of invoices.' },
      ],
    },
  ];
  const messages = bodies.map((body, i) => seqMessage(i + 1, formats.anthropic.read(body)));
  const fields = extractSummary({ prior: null, messages, maxTokens: 1_000, count });
  expect(fields.task_overview).toContain('user: "Leave that, and repair the export of invoices."');
  expect(fields.task_overview).not.toContain('database');
  expect(fields.next_steps).toContain('message 3');
});

/** As Claude Code 2.1 sends it: what it adds, and the words of the user, in one message. */
const withReminder = (words: string): Body => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: '<system-reminder>\nAttribution for git commits and pull requests you create from here on (this replaces an earlier copy): end them with a line that names the tool.\n</system-reminder>',
    },
    { type: 'text', text: words },
  ],
});

test('the request of a message that a coding agent adds to is quoted without what it adds', () => {
  const { task_overview, next_steps } = summaryOf(
    withReminder('Rename the column `plan` to `tier` in all migrations.'),
    ...calls('', 'grep', { pattern: 'plan' }, { files: 12 }),
    { role: 'user', content: '<task-notification>The background task has ended.</task-notification>' },
  );
  expect(task_overview).toBe('- [1] user: "Rename the column `plan` to `tier` in all migrations."');
  expect(next_steps).toContain('[1]');
  expect(next_steps).not.toContain('[4]');
});

describe('a greeting', () => {
  const task = user('Migrate services/billing to the new client, do not touch the invoices table.');
  const again = user('Hey, the tests in billing.test.ts still fail, look again please.');
  const work = [
    task,
    ...calls('', 'edit_file', { path: 'services/billing/client.ts' }, { ok: true }),
    ...calls('', 'bash', { command: 'npm test' }, { output: 'passed: 12, failed: 1' }),
    says('The root cause is the retry in client.ts:88, it sends the invoice 2 times.'),
  ];

  test('of one who asks on closes no task of an earlier summary', () => {
    const first = summaryOf(...work);
    const { task_overview, current_state, important_discoveries } = extractSummary({
      prior: first,
      messages: thread(...work, again).slice(-1),
      maxTokens: 1_000,
      count,
    });
    expect(task_overview).not.toContain('closed');
    expect(task_overview).toContain('do not touch the invoices table');
    expect(task_overview).toContain('the tests in billing.test.ts still fail');
    expect(current_state).toContain('wrote services/billing/client.ts');
    expect(important_discoveries).toContain('The root cause is the retry in client.ts:88');
  });

  test('of one who asks on closes no task of the same messages, in a chat without tools', () => {
    const { task_overview } = summaryOf(
      user('Plan a trip to Kyoto for 3 people in April.'),
      says('Day 1 is Fushimi Inari, day 2 is Arashiyama.'),
      user('Hey, which trains do I take?'),
    );
    expect(task_overview).not.toContain('closed');
    expect(task_overview).toContain('Plan a trip to Kyoto');
  });

  test.each([
    ['says goodbye', 'Thanks, bye.'],
    ['thanks in words of a request', 'That is all that I needed for A-100, have a nice day!'],
  ])('of somebody else begins a task where the summary before it ends with one who %s', (_, farewell) => {
    const bodies = [user('Hi, please cancel A-100.'), says('A-100 is cancelled.'), user(farewell)];
    const { task_overview } = extractSummary({
      prior: summaryOf(...bodies),
      messages: thread(...bodies, user('Hello, where is my order A-200?')).slice(-1),
      maxTokens: 1_000,
      count,
    });
    expect(task_overview).toMatch(/closed(?:, nothing changed)?: "please cancel A-100\./);
    expect(task_overview).toContain('user: "Hello, where is my order A-200?"');
  });

  test.each(['###STOP###', 'I have it now. ###STOP###'])(
    'begins a task after the user left with %s',
    (left) => {
      const { task_overview } = summaryOf(
        user('Hi, please cancel A-100.'),
        says('A-100 is cancelled.'),
        user(left),
        user('Hello, where is my order A-200?'),
      );
      expect(task_overview).toMatch(/closed(?:, nothing changed)?: "please cancel A-100\./);
    },
  );

  test('with another name begins a task, whatever the summary before it ends with', () => {
    const bodies = [user('Hi, this is Mira Keller. Please cancel A-100.'), says('A-100 is cancelled.')];
    const later = (speech: string) =>
      extractSummary({
        prior: summaryOf(...bodies),
        messages: thread(...bodies, user(speech)).slice(-1),
        maxTokens: 1_000,
        count,
      }).task_overview;
    expect(later('Hi, this is Ida Holm. Where is my order A-200?')).toContain('closed');
    expect(later('Hi, this is Mira Keller again. Which order was that?')).not.toContain('closed');
  });
});

describe('a short refusal of the user', () => {
  const asked = [
    user('Delete the bucket acme-prod-42 and then the table orders_old.'),
    says('Shall I go ahead?'),
  ];
  const refused = [...asked, user('No.'), says('Okay.')];
  const overviewOf = (...bodies: Body[]) => summaryOf(...bodies).task_overview;

  test('stays beside the request, after the question that it answers, over two folds', () => {
    const first = summaryOf(...refused);
    const later = extractSummary({
      prior: first,
      messages: thread(...refused, user('Which regions do we have?'), says('We have eu-1 and us-2.')).slice(
        -2,
      ),
      maxTokens: 1_000,
      count,
    });
    const lines = [
      '- [1] user: "Delete the bucket acme-prod-42 and then the table orders_old."',
      '- [2] Shall I go ahead?',
      '- [3] user: "No."',
    ];
    expect(first.task_overview?.split('\n')).toEqual(lines);
    expect(later.task_overview?.split('\n')).toEqual([...lines, '- [5] user: "Which regions do we have?"']);
  });

  test.each(['No, stop!', 'Stop.', 'Nope, don’t do it.', 'No, do not go ahead.', 'Nein, stopp!'])(
    'in mid-work leaves the request in no next step: %s',
    (words) => {
      const { task_overview, next_steps } = summaryOf(
        user('Delete the bucket acme-prod-42 and then the table orders_old.'),
        ...calls('I will delete the bucket first.', 'delete_bucket', { name: 'acme-prod-42' }, { ok: true }),
        user(words),
      );
      expect(task_overview).toContain(`- [4] user: "${words}"`);
      expect(next_steps).toBe('');
    },
  );

  test('settles what an earlier summary calls open', () => {
    const bodies = [
      user('Delete the bucket acme-prod-42.'),
      ...calls('I will delete the bucket first.', 'delete_bucket', { name: 'acme-prod-42' }, { ok: true }),
    ];
    const prior = summaryOf(...bodies);
    expect(prior.next_steps).toContain('message 1 asks for what is not answered yet');
    const messages = thread(...bodies, user('No, stop!')).slice(-1);
    const { task_overview, next_steps } = extractSummary({ prior, messages, maxTokens: 1_000, count });
    expect(next_steps).toBe('');
    expect(task_overview).toContain('- [4] user: "No, stop!"');
  });

  test('takes the plan that it refuses with it', () => {
    const { next_steps } = summaryOf(
      user('Clean up the account.'),
      says('- [ ] delete the bucket acme-prod-42\nShall I go ahead?'),
      user('No.'),
    );
    expect(next_steps).toBe('');
  });

  test('of a side question leaves the plan of the work open', () => {
    const { next_steps } = summaryOf(
      user('Clean up the account.'),
      ...calls('', 'todo_write', { todos: [{ content: 'drop the table', status: 'pending' }] }, { ok: true }),
      says('Shall I delete the backups, too?'),
      user('No.'),
    );
    expect(next_steps).toContain('todo: drop the table');
  });

  test('is said of a task that is closed', () => {
    const overview = overviewOf(
      user('Hi, this is Mira Keller. Please cancel A-100.'),
      says('It is packed already, so a fee of 12.00 is due. Shall I go ahead?'),
      user('No.'),
      says('Okay.'),
      user('Thanks, bye.'),
      ...another,
    );
    expect(overview).toContain('-> refused by the user: Shall I go ahead?');
  });

  test('does not displace the request where room is short', () => {
    const refusals = Array.from({ length: 8 }, (_, i) => [
      says(`Shall I delete the volume number ${i} of the account with all that it holds?`),
      user('No.'),
    ]).flat();
    const { task_overview } = extractSummary({
      prior: null,
      messages: thread(user('Clean up the account, and ask about each volume. '.repeat(8)), ...refusals),
      maxTokens: 300,
      count,
    });
    expect(task_overview).toContain('user: "Clean up the account, and ask about each volume.');
    expect(task_overview).toContain('- [17] user: "No."');
  });

  test.each(['No thanks.', 'No problem!', "No, that's all. Thank you.", 'No, thank you, goodbye.'])(
    'is not: %s',
    (words) => {
      const overview = overviewOf(...asked, user(words), says('Okay.'), user('Which regions do we have?'));
      expect(overview).not.toContain('[2]');
      expect(summaryOf(...asked, user(words)).next_steps).toBe('');
    },
  );

  test('is not a no to more help', () => {
    const overview = overviewOf(
      ...asked.slice(0, 1),
      says('Both are gone. Is there anything else I can help you with?'),
      user('No.'),
    );
    expect(overview).toBe('- [1] user: "Delete the bucket acme-prod-42 and then the table orders_old."');
  });
});

describe('a short answer', () => {
  test.each([
    'No.',
    'no',
    'Nope',
    'No, stop!',
    'No, wait.',
    'Not now, please.',
    "Please don't do it.",
    'Stop, do not continue!',
    "No, I don't want that.",
    "I'd rather not.",
    'Never mind.',
    'Non !',
    'Nein, bitte nicht.',
  ])('that refuses: %s', (text) => {
    expect([isShortRefusal(text), isAgreement(text)]).toEqual([true, false]);
  });

  test.each([
    'No thanks.',
    'No problem, go ahead.',
    'No, go ahead.',
    'No no, please continue.',
    "No, that's all.",
    "No, we're good, bye!",
    'Okay, thank you so much! ###STOP###',
  ])('that agrees: %s', (text) => {
    expect([isShortRefusal(text), isAgreement(text)]).toEqual([false, true]);
  });

  test.each([
    "Don't stop!",
    'Do not wait, go ahead.',
    'No need to wait.',
    "I don't mind.",
    'Not sure.',
    'Not at all.',
    'No, do that.',
    'Why not?',
    'No, use the other bucket.',
  ])('that does neither: %s', (text) => {
    expect([isShortRefusal(text), isAgreement(text)]).toEqual([false, false]);
  });

  test('is looked at in full unless its first word rules a refusal out', () => {
    const word = fc.constantFrom(
      ...`no No nope not never mind don't Don’t stop please do it that wait thanks ok the build problem n't I'd "No" ###STOP### 'stop go ahead can't`.split(
        ' ',
      ),
    );
    const mark = fc.constantFrom(' ', ', ', '. ', '! ', '? ', ' - ');
    const text = fc
      .array(fc.tuple(word, mark), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join(''));
    let refusals = 0;
    fc.assert(
      fc.property(text, (one) => {
        if (isShortRefusal(one)) refusals++;
        // "OK" may begin a refusal, and is none.
        expect(isShortRefusal(one)).toBe(isShortRefusal(`ok ${one}`));
      }),
      { numRuns: 3_000 },
    );
    expect(refusals).toBeGreaterThan(100);
  });
});

describe('what a caller or a model chose to preserve', () => {
  const preservedAfter = (text: string, instructions?: readonly string[]) =>
    extractSummary({
      prior: { context_to_preserve: text },
      messages: thread(user(''), user('Which trains are there?'), says('One at 9:15.')).slice(1),
      maxTokens: 1_000,
      count,
      instructions,
    }).context_to_preserve;
  const quote = '- [1] user: "I always fly with my dog Bello, seat 12A please."';

  test('keeps its quotes', () => {
    expect(preservedAfter(quote)).toBe(quote);
    expect(preservedAfter(quote, ['Answer in German.'])).toBe(quote);
  });

  test('keeps several of them beside much else that was said', () => {
    const quotes = [
      quote,
      '- [2] user: "Her name is spelled Siobhán, and Ó Faoláin has an accent."',
      '- [3] user: "We moved to Lisbon in May, the flat is on Rua Augusta 12."',
    ];
    const talk = Array.from({ length: 40 }, (_, i) => [
      user(`Please look into case C-${i}00 of the client ${i}, and tell me what became of it.`),
      says(`Case C-${i}00 was closed because the invoice ${i}77 had been paid twice by client ${i}.`),
      ...calls('', 'close_case', { case: `C-${i}00` }, { ok: true }),
    ]).flat();
    const { context_to_preserve } = extractSummary({
      prior: { context_to_preserve: quotes.join('\n') },
      messages: thread(user(''), user(''), user(''), ...talk).slice(3),
      maxTokens: 1_000,
      count,
    });
    expect(context_to_preserve?.split('\n')).toEqual(quotes);
  });

  test.each([
    [quote, ['I always fly with my dog Bello, seat 12A please.']],
    ['- [1] user: "Never push. Answer in German."', ['Answer in German.', 'Never push.']],
    ['- [1] user: "I always fly with my dog ..."', ['I always fly with my dog Bello, seat 12A please.']],
  ])('loses a quote that the instructions say: %s', (text, instructions) => {
    expect(preservedAfter(text, instructions)).toBe('');
  });
});

test('a line that cites no message gets no citation', () => {
  const prior = {
    task_overview: 'user: "Book the trip to Rome"',
    context_to_preserve: 'The client likes tea.',
  };
  const messages = thread(user('Which trains are there?'), says('One at 9:15.'));
  const { task_overview, context_to_preserve } = extractSummary({ prior, messages, maxTokens: 1_000, count });
  expect(task_overview?.split('\n')[0]).toBe('- user: "Book the trip to Rome"');
  expect(context_to_preserve).toBe('- The client likes tea.');
});
