import type { Quiz } from './quiz.js';

/** Quizzes about threads of this repository. The rules of extractive summaries are tuned on these. */
export const ownQuizzes: readonly Quiz[] = [
  {
    thread: 'half-a-rename',
    questions: [
      { q: 'Which commit is the work in progress?', needs: ['a0c4812'] },
      { q: 'Who started the branch?', needs: ['Jonas'] },
      { q: 'What was Budget.summaryTokens to be called?', needs: ['summaryLimit'] },
      { q: 'How large may a rename be?', needs: ['ten files'] },
      { q: 'Which folder is frozen?', needs: ['prisma/migrations'] },
      {
        q: 'Which model and column had a type that Prisma does not know?',
        needs: ['ModelOverride.contextWindow'],
      },
      { q: 'Where is the rename taken back?', needs: ['libs/engine/src/budget.ts'] },
      { q: 'What did the user decide?', needs: ['Take it back'] },
      { q: 'May the branch be deleted?', needs: ['Delete nothing yet'] },
      { q: 'How many tests of the engine pass?', needs: ['67 engine tests'] },
    ],
  },
  {
    thread: 'late-trigger',
    questions: [
      { q: 'Which ticket is it?', needs: ['SPW-142'] },
      { q: 'Which thread was degraded?', needs: ['ops-7f3a'] },
      { q: 'How many of its contexts?', needs: ['11 degraded'] },
      { q: 'Which commit brought the fault?', needs: ['7a13a5e'] },
      { q: 'Which trigger is right for a window of 16,000?', needs: ['10,713'] },
      { q: 'In which file was the cause?', needs: ['libs/engine/src/budget.ts'] },
      { q: 'After what is the test to be named?', needs: ['Name the test after the promise'] },
      { q: 'What is the test not to use?', needs: ['fast-check'] },
      { q: 'What is the message of the commit?', needs: ['Fix the trigger cap (SPW-142)'] },
      { q: 'Who takes it into the release branch, and when?', needs: ['Mira', 'Thursday'] },
      { q: 'Which commit is the fix?', needs: ['dff2ffa'] },
      { q: 'Which function compares the reserve with the trigger?', needs: ['policyProblems'] },
    ],
  },
  {
    thread: 'dependency-audit',
    questions: [
      { q: 'Which ticket asked for the audit?', needs: ['REL-31'] },
      { q: 'Who in legal reads the report?', needs: ['Anouk'] },
      { q: 'How large is node_modules?', needs: ['1416 MB'] },
      { q: 'Which entry of the tree did npm call invalid?', needs: ['commander@15.0.0'] },
      { q: 'Which packages are under MPL?', needs: ['axe-core', 'lightningcss'] },
      {
        q: 'Which install scripts are not covered?',
        needs: ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'windows-x64'],
      },
      {
        q: 'What makes the links of the Postgres libraries?',
        needs: ['libs/embedded/src/postgres-binaries.ts'],
      },
      { q: 'How many files does libs/jobs pull in?', needs: ['413 files'] },
      { q: 'Which package brings most of them?', needs: ['105 bullmq'] },
      { q: 'Which files import bullmq?', needs: ['libs/jobs/src/consumer.ts', 'libs/jobs/src/hints.ts'] },
      { q: 'Is that worth a change?', needs: ['not worth acting on'] },
      { q: 'May packages be upgraded?', needs: ['upgrade nothing'] },
    ],
  },
  {
    thread: 'desk-morning',
    questions: [
      { q: 'What did the refund of the boots of FF-100247 come to?', needs: ['FF-100247', '338.00'] },
      { q: 'Who decides on it?', needs: ['FF-100247', 'supervisor'] },
      { q: 'Why could the address of FF-100003 not be changed?', needs: ['FF-100003 is delivered'] },
      {
        q: 'When may Jonas Bello be called?',
        needs: ['jonas_bello_2425', 'only call after five in the evening'],
      },
      {
        q: 'How may Aylin Moreau not be contacted?',
        needs: ['aylin_moreau_7021', 'no text messages please'],
      },
      { q: 'Which Hugo Mensah wrote?', needs: ['hugo_mensah_4752'] },
      { q: 'Why was FF-101145 not refunded?', needs: ['FF-101145', '30 are allowed'] },
      { q: 'Where does Kofi Moreau live now?', needs: ['Nyvej 11, 75306 Narvik'] },
      {
        q: 'What became of the order that Pavel Keller wanted cancelled?',
        needs: ['FF-100624 is delivered'],
      },
      { q: 'To which size was line 1 of FF-100543 to be changed?', needs: ['FF-100543', 'to 42'] },
      { q: 'Which orders has Dalia Rahman?', needs: ['FF-100931', 'FF-100965', 'FF-101002'] },
      { q: 'When does the supervisor answer?', needs: ['within two working days'] },
    ],
  },
  {
    thread: 'desk-letters',
    questions: [
      { q: 'Which customer number has Kofi Sorokin?', needs: ['kofi_sorokin_5516'] },
      { q: 'How old is the son of Sanna Solheim?', needs: ['sanna_solheim_5268', 'eleven'] },
      { q: 'What does the shell jacket cost?', needs: ['Skerry shell jacket', '189.00'] },
      { q: 'How long may a customer return unused goods?', needs: ['within 30 days of delivery'] },
      { q: 'What kind of customer buys twice a year?', needs: ['hut with twelve beds'] },
      { q: 'How long does Marek Okafor ride?', needs: ['marek_okafor_1184', 'forty minutes'] },
    ],
  },
];
