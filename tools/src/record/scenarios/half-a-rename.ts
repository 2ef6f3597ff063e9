import { assistant, bash, edit, read, type Scenario, user } from '../scenario.js';
import { systemPrompt } from './system-prompt.js';

/** A build broken by a rename that was begun and not finished, and a schema that does not validate. */
export const halfARename: Scenario = {
  name: 'half-a-rename',
  system: systemPrompt,
  faults: [
    {
      path: 'libs/engine/src/compaction/budget.ts',
      old: '  summaryTokens: number;',
      new: '  summaryLimit: number;',
    },
    {
      path: 'libs/engine/src/compaction/budget.ts',
      old: '    summaryTokens: Math.min(',
      new: '    summaryLimit: Math.min(',
    },
    {
      path: 'prisma/schema.prisma',
      old: '  contextWindow Int    @map("context_window")',
      new: '  contextWindow Integer @map("context_window")',
    },
  ],
  faultCommit: 'WIP: rename summaryTokens (Jonas)',
  steps: [
    user(`The branch rename-summary-limit doesn't build, and Jonas, who started it, is on leave. Please get it green again.

What I know: he wanted to call Budget.summaryTokens "summaryLimit", and he fiddled with the schema. My preferences: no migration (prisma/migrations is frozen until 0.1 is out), commits one idea each, and if a rename needs more than ten files I'd rather not have it now.`),
    assistant(
      'First what is broken, from the compiler and from Prisma, then what it would take to finish.',
      bash('git log --oneline -8; git status --short; git diff'),
      bash('tsc -b --verbose libs/engine libs/store libs/service apps/api apps/worker', /summaryTokens/),
      bash('prisma validate', /Integer/),
    ),
    assistant(
      'Two independent faults. How far would the rename reach?',
      bash(
        'grep -rn "summaryTokens" libs apps test --include=*.ts --include=*.tsx --exclude-dir=dist | grep -v generated',
      ),
      bash(
        'grep -rlE "summaryTokens|summary_tokens" libs apps test prisma --include=*.ts --include=*.tsx --include=*.sql --include=*.prisma --include=*.md --include=*.json --exclude-dir=dist | grep -v generated',
      ),
      read('libs/engine/src/compaction/budget.ts', 1, 50),
    ),
    assistant(
      null,
      read('libs/engine/src/compaction/plan.ts'),
      read('libs/service/src/compaction/compact-thread.ts'),
      read('libs/service/src/summaries/summarize-range.ts'),
    ),
    assistant(`Here is where things stand.

1. libs/engine/src/compaction/budget.ts: Budget has summaryLimit, everybody else still reads summaryTokens. That stops engine, and with it every project that refers to it.
2. prisma/schema.prisma: ModelOverride.contextWindow has the type "Integer", which Prisma does not know; it was Int. "prisma validate" fails on that line and nothing else.

The rename is not mechanical. Several things are called summaryTokens: the budget's bound (budget.ts), the tokens of the active summary in a plan's input and what the plan allows (both in plan.ts), and what the store writes into its row (commit.ts). Only the first should change; a replace over all files would change the others, too.

Options:
A. Finish it by hand. It stays under your ten files, but each place needs a decision which of the four is meant, and the two in plan.ts want better names first. That is two ideas, so two commits and a review.
B. Take it back: two lines in budget.ts.

I recommend B. Shall I?`),
    user(
      'B. Take it back, and fix the schema in a commit of its own. Keep a note for Jonas why, in the commit message. No file besides those two.',
    ),
    assistant(
      null,
      edit('libs/engine/src/compaction/budget.ts', '  summaryLimit: number;', '  summaryTokens: number;'),
      edit(
        'libs/engine/src/compaction/budget.ts',
        '    summaryLimit: Math.min(',
        '    summaryTokens: Math.min(',
      ),
      bash('tsc -b --verbose libs/engine libs/store libs/service apps/api apps/worker', /exit code 0/),
      bash('vitest run --root libs/engine 2>&1 | tail -60', /Tests\s+\d+ passed/),
    ),
    assistant(
      'Everything compiles again. Now the schema, with a look at what the column really is: the migration is the truth, and I only read it.',
      edit('prisma/schema.prisma', 'Integer @map("context_window")', 'Int    @map("context_window")'),
      bash('grep -n "model_overrides" -A 8 prisma/migrations/*/migration.sql'),
      bash('prisma validate && prisma format --check; git diff --stat', /valid/),
    ),
    assistant(
      null,
      bash(`git -c user.name=dev -c user.email=dev@mail.example commit -q -m 'Take back the rename of Budget.summaryTokens

Jonas: four things have this name and only the budget was meant.
If we want it, let us rename the two in plan.ts first, after 0.1.' -- libs/engine; git -c user.name=dev -c user.email=dev@mail.example commit -q -m 'Give ModelOverride.contextWindow a type that Prisma knows' -- prisma/schema.prisma; git log --format='%s%n%b' -2; git status --short`),
      bash('cat prisma/schema.prisma'),
      bash('cat prisma/migrations/*/migration.sql'),
    ),
    assistant(
      (seen) => `Green again.

- tsc -b: engine, store, service, api and worker build. ${seen.find(/Tests\s+(\d+) passed/)} engine tests pass.
- prisma validate passes. The column in the migration is INTEGER and Prisma's word for that is Int; the two files are above, side by side. "prisma format" would align the schema differently; I left that, it is not part of this. prisma/migrations is untouched.
- Two commits, one idea each, with the note for Jonas in the first.

Open
1. Jonas: when he is back, decide whether the two other summaryTokens (PlanInput, CompactionPlan) get clearer names. After 0.1.
2. I did not run the tests that need Postgres and Redis.
3. The branch name rename-summary-limit no longer says what it holds; I'd merge it as a fix and delete it. Your decision.`,
    ),
    user('Merged. Delete nothing yet, Jonas should see it first. That was all, thank you.'),
    assistant('Understood: the branch stays until Jonas has seen it. Nothing else is pending on my side.'),
  ],
};
