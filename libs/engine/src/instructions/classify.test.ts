import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isShortRefusal } from '../extractive/politeness.js';
import { kindOfSentence, verdictByScore, verdictOn } from './classify.js';
import { isEnglish } from './languages/is-english.js';
import { oneStep } from './phrases/not-a-rule.js';
import { plain } from './plain.js';
import { readingOf } from './reading.js';

const standing = [
  "Don't send any messages on my behalf, draft them.",
  "Please do not contact the vendor directly, I'll handle that myself.",
  'Never push to main.',
  'Answer in German from now on.',
  'From now on, keep your replies under 100 words.',
  'Whenever you quote a price, include VAT.',
  'I want all amounts in euros.',
  'Call me Sam.',
  'Please use metric units.',
  'No emojis, please.',
  'Every reply should end with a one-line summary.',
  'Before you delete anything, ask me.',
  'Ask me before making any purchase over $50.',
  "Don't touch the tests.",
  'Only use the staging database.',
  'You may commit directly to the feature branch without asking.',
  'You can book anything under $200 without checking with me.',
  'If a test fails, stop and tell me instead of fixing it.',
  "I'm allergic to peanuts, so never suggest anything with nuts.",
  "Let's stick to TypeScript for the rest of this project.",
  "I'd like you to always cite your sources.",
  "I'd rather you didn't use jargon.",
  'Could you please stop apologizing all the time?',
  'Can you always show me the diff before committing?',
  'Keep it short.',
  "One thing before we go on: my budget is $800, don't go over it.",
  'By the way, I prefer window seats.',
  'Refunds above 100 euros need my approval.',
  'All dates should be in ISO 8601.',
  'The public API must not change.',
  'No new dependencies without my approval.',
  'Commit messages in the imperative mood, please.',
  'Treat everything in this folder as confidential.',
  'Do not mention the merger to anyone.',
  'For the rest of this session, speak to me as if I were a beginner.',
  "As long as I'm on vacation, don't escalate anything to my boss.",
  'Until the release is out, no merges to main.',
  'My boss insists that we never share customer names.',
  'We never deploy on Fridays.',
  'Please remember that I only work with the 2019 edition.',
  'Hold off on booking anything until I confirm.',
  'Wait for my go-ahead before you run migrations.',
  'When you write code, add type hints.',
  'Use British spelling in everything you write for me.',
  'Address the customer formally.',
  'You are not allowed to change the price.',
  'Nothing gets deleted without my written OK.',
  'It is important that you never reveal the internal ticket number.',
  'Stop using bullet points.',
  'Give me at most three options each time.',
  'I need you to double-check every number before you give it to me.',
  "Don't ever log personal data.",
  'Please refrain from making changes outside of src/.',
  'Under no circumstances should you email the client.',
  'Any change to the schema has to go through me first.',
  'After each step, tell me what you did.',
  'Round all figures to two decimals.',
  'Going forward I want the tests run after every change.',
  "You don't need to ask me before running tests.",
  'Feel free to restart the dev server whenever you need to.',
  'Keep my home address out of anything you write.',
  "I'd appreciate it if you kept explanations brief.",
  "Please keep the customer's name out of the summaries.",
  'Draft emails only, I send them myself.',
  "Assume I'm on Windows unless I say otherwise.",
  "Speak plain English with me, I'm not a developer.",
  'Leave the config files alone.',
  "I don't want you to transfer me to anyone else under any circumstances.",
  'Make a backup before every migration.',
  'Always reply with JSON only.',
  'If you are unsure, ask rather than guess.',
  'Give prices in CHF.',
  'Use my work email for everything.',
  'Write dates like 24 March 2026.',
  'Sign every email with "Best, Sam".',
  'Nothing over $500 without asking.',
  'If it costs more than 100 dollars, check with me first.',
  'Our style guide bans the Oxford comma, so leave it out.',
  'In every answer, name the file and the line.',
  'I only fly with Star Alliance airlines.',
  'Just so you know, I read these on my phone, so no wide tables.',
  'The tests folder is off limits.',
  "It's ok to use my saved card for anything under 40 dollars.",
  'You have my permission to merge green PRs.',
  'Do the work in small commits.',
  'Test everything on Node 20 before you say it works.',
  'Nobody but me approves refunds.',
  'When you talk to the supplier, leave my name out of it.',
  "I'd like all replies in bullet form going forward.",
  'Please hold off on refunds until my manager signs off.',
  'If a customer swears at you, stay polite and end the chat.',
  'Never give out my phone number.',
  "You mustn't share the roadmap with anyone outside the team.",
  "Whatever happens, don't cancel the hotel.",
  'I want to be asked before anything is booked.',
  'Could you please keep your answers to three sentences max?',
  'Would you mind always including the order number?',
  'Don\'t use the word "unfortunately".',
  'Anything above 300 euros needs my sign-off.',
  'Use only sources from the last two years.',
  'Speak to me in Spanish, please.',
  "Let's keep everything in metric.",
  'No phone calls, email only.',
  'Every commit needs a ticket number.',
  'As a rule, round times to the nearest quarter of an hour.',
  'You have my OK to restart the service at any time.',
  'Please make sure no customer data ends up in the logs.',
  'Only contact me in the mornings.',
  'My spending limit is 250 dollars a month.',
  'Keep the production database read-only for yourself.',
  'Under no circumstances touch the billing code.',
  "For the rest of the day, assume that I can't answer.",
  'Always double check the arithmetic.',
  "It's fine to use abbreviations from now on.",
  "Don't schedule anything on Fridays.",
  'Put the conclusion first in every report.',
  'Please stop asking me whether I want a summary.',
  "I don't eat pork, so leave it out of every menu.",
  "If you're going to be late with something, tell me a day ahead.",
  'Replies to customers should be signed "The Harbor Team".',
  "Don't make any changes without showing me the diff first.",
  "Whenever there's a choice, take the cheaper option.",
  'Please write for a ten-year-old.',
  'Never assume; ask.',
  'Treat me like a beginner.',
  'Work only in the sandbox folder.',
  'No more than two suggestions per message.',
  'Please spell my name Kristyna, with a y.',
  'I need everything in writing, no calls.',
  'Every price you quote has to include tax.',
  'Skip the greeting and get to the point in your messages.',
  'Do not, under any circumstances, reply to legal on my behalf.',
  'I would rather you asked one question at a time.',
  "While I'm away, Priya decides.",
  'Until Monday, treat the API as frozen.',
  'From here on out call the project Heron.',
  'Just to set expectations: I only accept refunds to the original card.',
];

const notStanding = [
  'Let me take some time to consider my options.',
  'Let me get back to you with the destination details shortly.',
  "Let's look into any available one-stop options from Atlanta to Las Vegas, please.",
  "I'm cancelling due to a change in travel plans.",
  'The reason for cancellation is a change of plans.',
  "As for the reason, I've had a change in plans and won't be needing these flights anymore.",
  'You are the most lenient customer service agent I have ever spoken to.',
  // A number after "over" is a limit, and no second choice.
  'Files over 250 lines.',
  "I'll call you when I get there.",
  'We deployed on Friday and it broke.',
  'The tests are failing on my machine.',
  'Could you look up my order?',
  'What does this function do?',
  'Please rename the file to utils.ts.',
  'Add a retry to the upload.',
  "I think that's the wrong flight.",
  'My wife will be travelling with me.',
  'I was hoping to get a window seat this time.',
  "It's never been this slow.",
  'They never answered my email.',
  'I always have this problem in winter.',
  'Can I bring my dog?',
  'I have two bags.',
  'The meeting is at 3 pm on Tuesday.',
  "Let's go with option B.",
  'Run the tests again.',
  'Move the button to the left.',
  'Please check whether the payment went through.',
  "I've attached the log.",
  'The customer wants a refund for order 881.',
  'This has to be a bug in the driver.',
  'I need a hotel near the station for two nights.',
  'Sorry, I meant the other account.',
  "Why can't you see my booking?",
  'Thanks for keeping me posted.',
  'Use the blue one for the header.',
  'Find out who changed the config yesterday.',
  'The policy says that bags are free.',
  'I can only fly after 5 pm on that day.',
  'I want a refund.',
  'Is it possible to change the date?',
  'You said it would be free.',
  'Write a haiku about the sea.',
  'Summarize the attached document.',
  'The total should be 420, not 402.',
  'It should print the sum but prints zero.',
  'Show me the last ten commits.',
  'Convert this file to JSON.',
  'Thanks, that was quick!',
  "Don't worry about it.",
  'I never got the email.',
  'Can you cancel my reservation?',
  'Please cancel my flight.',
  'It always fails on Windows.',
  'I hope you can help.',
  'I must have left it at home.',
  'The deploy never finished.',
  'There must be a way.',
  "What's the limit for attachments?",
  'Fix the bug in parser.ts and add a test.',
  'Write a function that sorts a list.',
  'Why do you always answer in German?',
  'I always fly with Delta, but this time I booked United.',
  "I don't want travel insurance.",
  'You can find it in the docs folder.',
  'The docs say you should never call this twice.',
  'My colleague told me that the tests must run on Linux.',
  'I was told never to share the password, and yet they asked for it.',
  'Please send me the report.',
  'Use the second option.',
  'Make the button blue.',
  'Add a column for the price.',
  "That's not what I meant.",
  'No, the other one.',
  'I need the invoice before Friday.',
  'It must be in the parser.',
  'The function must return a list.',
  'Create a table with three columns.',
  'Keep going.',
  "I can't log in anymore.",
  'Every time I click save it crashes.',
  'Whenever I open the app, it shows an error.',
  'Show me the list of files.',
  "Let me know when it's done.",
  'Explain how this works.',
  'Translate this into German.',
  "I'd like to book a flight to Rome.",
  'My budget report is attached.',
  'I only have an hour today.',
  'We should probably look at the logs.',
  'I think we should use Postgres.',
  'Do you ever sleep?',
  "Don't you think that is too long?",
];

test('at least 95 % of standing instructions are found', () => {
  const missed = standing.filter((sentence) => kindOfSentence(sentence) === null);
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(standing.length * 0.05);
});

test('at most 5 % of other sentences of users are taken for one', () => {
  const wrong = notStanding.filter((sentence) => kindOfSentence(sentence) !== null);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(notStanding.length * 0.05);
});

test.each([
  ['Never push to main.', 'prohibition'],
  ['Please do not contact the vendor directly.', 'prohibition'],
  ['Keep your replies under 100 words.', 'limit'],
  ['Ask me before you delete anything.', 'procedure'],
  ['Answer in German from now on.', 'format'],
  ['I prefer window seats.', 'preference'],
  ['You may commit directly to the feature branch without asking.', 'permission'],
])('%s is a %s', (sentence, kind) => {
  expect(kindOfSentence(sentence)).toBe(kind);
});

describe('an item of a list of rules is one', () => {
  test.each(['plain language, please', 'the public contract stays as it is', 'tests for everything new'])(
    '%s',
    (item) => {
      expect(kindOfSentence(item, true)).not.toBeNull();
    },
  );
});

describe('what others demand, and what happened, is a report', () => {
  test.each([
    'The docs say you should never call this twice.',
    'My colleague told me that the tests must run on Linux.',
    'I was told never to share the password, and yet they asked for it.',
  ])('%s', (sentence) => {
    expect(kindOfSentence(sentence)).toBeNull();
  });
});

test.each(['I want to change all of my bookings.', "I'm hoping for some kind of answer."])(
  'what the writer plans or wants done once is no instruction: %s',
  (sentence) => {
    expect(kindOfSentence(sentence)).toBeNull();
  },
);

describe('what saves time changes no verdict', () => {
  const words = [...new Set([...standing, ...notStanding].flatMap((sentence) => sentence.split(' ')))];
  const sentences = fc.oneof(
    fc.constantFrom(...standing, ...notStanding),
    fc.array(fc.constantFrom(...words), { minLength: 4, maxLength: 14 }).map((some) => some.join(' ')),
  );

  test('the rules of grammar are left out only where they decide nothing', () => {
    let asked = 0;
    fc.assert(
      fc.property(sentences, fc.boolean(), (sentence, isEnding) => {
        const verdict = verdictOn(sentence, { isEnding });
        const reading = readingOf(sentence);
        const { byRules } = reading;
        fc.pre(isEnglish(sentence) && !isShortRefusal(sentence) && !oneStep.test(reading.words.whole));
        if (byRules !== null) asked++;
        expect(verdict).toBe(verdictByScore(reading, byRules, isEnding));
      }),
      { numRuns: 2_000 },
    );
    expect(asked).toBeGreaterThan(200);
  });

  test('a sentence without marks is only put into lower case', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aA1.;:!?-()/ é'), maxLength: 30 });
    // The marks of emphasis have it read in full.
    fc.assert(
      fc.property(text, (sentence) => {
        expect(plain(sentence)).toBe(plain(`**${sentence}`));
      }),
    );
  });
});
