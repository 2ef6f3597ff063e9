import { assistant, bash, edit, read, type Scenario, user } from '../scenario.js';
import { systemPrompt } from './system-prompt.js';

const windows = `node --input-type=module -e '
import { budgetOf } from "/repo/libs/engine/dist/index.js";
for (const w of [8000, 16000, 32000, 64000, 128000, 200000]) {
  const { limit, trigger, reserve } = budgetOf({}, w);
  console.log(String(w).padStart(7), "limit", String(limit).padStart(7), "trigger", String(trigger).padStart(7), "reserve", String(reserve).padStart(6), trigger > limit ? "TRIGGER ABOVE LIMIT" : "ok");
}'`.replaceAll('/repo/', './');

/** A regression found and fixed over several turns, with ground rules given once at the start. */
export const lateTrigger: Scenario = {
  name: 'late-trigger',
  system: systemPrompt,
  faults: [
    {
      path: 'libs/engine/src/compaction/budget.ts',
      old: 'Math.min(wanted, Math.floor(0.9 * limit))',
      new: 'Math.min(wanted, Math.floor(0.9 * contextWindow))',
    },
  ],
  faultCommit: 'Say the trigger in terms of the window',
  steps: [
    user(`Ticket SPW-142. Since yesterday's merge, threads on small windows come back degraded: thread ops-7f3a (window 16000) gave 11 degraded contexts out of 40, and compaction only started when the context was already over its limit. The 128k threads are fine.

Find out why. Ground rules for this session:
- don't touch prisma/migrations, and nothing under a "generated" folder
- no new dependencies
- the public HTTP contract (libs/contracts, libs/client/openapi.json) stays as it is
- ask me before you edit anything outside libs/engine
- plain language, please; I forward your notes to support`),
    assistant(
      "I'll look at what was merged last and whether the engine's own tests notice anything, before I form a theory.",
      bash('git log --oneline -15'),
      bash('git status --short | head -20; ls libs/engine/src libs/engine/src/*/'),
    ),
    assistant(
      'The trigger and the limit are decided in the engine. Running its tests.',
      bash('vitest run --root libs/engine 2>&1 | tail -120', /budget\.test\.ts/),
    ),
    assistant(
      (seen) =>
        `Only the budget's tests fail, and about exactly this: they expect a trigger of 10,713 for a 16,000 window and get ${seen.find(/\+\s+"trigger": (\d+)/)}. Reading the rule and its test.`,
      read('libs/engine/src/compaction/budget.ts'),
      read('libs/engine/src/compaction/budget.test.ts'),
    ),
    assistant(
      'Line by line: `limit` is the window less the room for the answer, and the cap on the trigger should keep it under that limit. It is computed from `contextWindow` instead. Let me put numbers on it for the usual windows, and see who relies on the trigger being under the limit.',
      bash(`tsc -b libs/engine && ${windows}`, /TRIGGER ABOVE LIMIT/),
      bash(
        'grep -rn "trigger" libs apps --include=*.ts | grep -v -e generated -e "client/src/schema" -e "\\.test\\.ts"',
      ),
    ),
    assistant(null, read('libs/engine/src/compaction/plan.ts'), read('libs/engine/src/context/fit.ts')),
    assistant(
      `Found it.

Cause: libs/engine/src/compaction/budget.ts caps the trigger at 0.9 of the context window. It must be 0.9 of the limit (the window less response_reserve). With the defaults (trigger_ratio 0.8, response_reserve 4096) that only matters where 0.8 x window is above the limit, so:
- 8,000 and 16,000: the trigger lies above the limit. Compaction becomes due only after contexts no longer fit, so read-context has to shorten or leave out messages: the degraded contexts of ops-7f3a.
- 32,000 and up: 0.8 x window is the smaller number, the cap never binds. That is why the 128k threads are fine.

fit.ts is innocent: it does what it promises when a context is over its limit.

I propose to restore the cap to the limit. It's one line in libs/engine, so within your rules. I have not changed anything yet.`,
    ),
    user(
      'Clear, thanks. Fix it. And add a test so that it cannot come back: a table of windows is enough, no fast-check for this one. Name the test after the promise, not after the bug.',
    ),
    assistant(
      'The fix first, then the table.',
      edit(
        'libs/engine/src/compaction/budget.ts',
        'Math.min(wanted, Math.floor(0.9 * contextWindow))',
        'Math.min(wanted, Math.floor(0.9 * limit))',
      ),
      edit(
        'libs/engine/src/compaction/budget.test.ts',
        "describe('a policy', () => {",
        `test.each([1, 1_000, 8_000, 16_000, 32_000, 64_000, 128_000, 200_000, 1_000_000])(
  'compaction is due before a context of a %i token window is full',
  (contextWindow) => {
    const { limit, trigger } = budgetOf({}, contextWindow);
    expect(trigger).toBeLessThanOrEqual(Math.max(1, 0.9 * limit));
  },
);

describe('a policy', () => {`,
      ),
      bash('vitest run --root libs/engine 2>&1 | tail -60', /Tests\s+\d+ passed/),
      bash(`tsc -b libs/engine && ${windows}`),
    ),
    assistant(
      "Green. To be sure that the new test guards the promise and not just today's code, I put the fault back for a moment.",
      bash(
        `sed -i 's/0.9 \\* limit))/0.9 * contextWindow))/' libs/engine/src/compaction/budget.ts && vitest run --root libs/engine budget 2>&1 | tail -90; sed -i 's/0.9 \\* contextWindow))/0.9 * limit))/' libs/engine/src/compaction/budget.ts; git diff --stat`,
        /failed/,
      ),
      bash(
        'prettier --check libs/engine/src/compaction/budget.ts libs/engine/src/compaction/budget.test.ts; git diff',
      ),
    ),
    assistant(
      (seen) => `Done, not committed.

- libs/engine/src/compaction/budget.ts: the cap is 0.9 of the limit again.
- libs/engine/src/compaction/budget.test.ts: "compaction is due before a context of a N token window is full", nine windows from 1 to 1,000,000. With the fault put back it fails; with the fix the engine has ${seen.find(/Tests\s+(\d+) passed/)} passing tests.
- A 16,000 window now has limit 11,904 and trigger 10,713.

For support: "On models with small windows Spillway began to summarize too late. It is fixed; no data was lost, and the affected threads repair themselves with their next message."`,
    ),
    user(
      "Before you commit: who else reads the trigger? I'm worried about the console's progress bar and about policyProblems, which compares the reserve with the trigger. Read only, no edits there.",
    ),
    assistant(
      'policyProblems first, then every reader up to the wire.',
      bash(
        'grep -rn "trigger_tokens\\|triggerTokens\\|budget\\.trigger\\|trigger_ratio" libs apps --include=*.ts --include=*.tsx | grep -v generated',
      ),
      bash('cat libs/client/openapi.json'),
      bash('cat libs/service/src/compaction/request-compaction.ts libs/service/src/policies/settings.ts'),
    ),
    assistant(
      null,
      bash('cat libs/service/src/context/read-context.ts libs/service/src/compaction/compact-thread.ts'),
      bash(
        'cat libs/store/src/sql/messages/append.ts libs/store/src/sql/compaction/commit.ts libs/store/src/sql/outputs/sweep.ts',
      ),
      bash(
        'cat libs/contracts/src/threads/thread.ts libs/contracts/src/messages/context.ts libs/contracts/src/messages/message.ts',
      ),
    ),
    assistant(`Nobody else computes it.

- policyProblems calls budgetOf, so it uses the corrected trigger. On small windows it can now refuse a reserve_ratio that it let pass since the merge (for 16,000: anything that keeps 10,713 tokens or more, was 12,800). That is the old, intended behaviour, but worth a line in the release notes.
- The wire carries trigger_tokens as a number per thread and budget.trigger per context. The console divides live_tokens by it and never derives it. The shape is unchanged, so libs/contracts and openapi.json stay as they are, as you asked.
- The store keeps no trigger of its own beyond the thread row, which is rewritten with each append: rows written since the merge correct themselves with the next message. No migration needed, and I did not open prisma/migrations.

Open question for you: threads that get no further message keep the too high trigger in their row. They are idle, so nothing is wrong for their users, but the console shows a bar that is too short. I'd leave it.`),
    user(
      "Agreed, leave the idle ones. Commit with the message 'Fix the trigger cap (SPW-142)', don't push: Mira does the release branch on Thursday. Then run the whole type check once, and write down what is left. I'm away until Thursday.",
    ),
    assistant(
      null,
      bash(
        "git add libs/engine/src/compaction/budget.ts libs/engine/src/compaction/budget.test.ts && git -c user.name=dev -c user.email=dev@mail.example commit -q -m 'Fix the trigger cap (SPW-142)' && git log --oneline -3 && git show --stat --format=%s HEAD",
        /SPW-142/,
      ),
      bash(
        'tsc -b --verbose libs/engine libs/contracts libs/blobs libs/jobs libs/llm libs/store libs/service apps/api apps/worker',
        /exit code 0/,
      ),
      bash('vitest run --root libs/engine 2>&1 | tail -40', /Tests\s+\d+ passed/),
    ),
    assistant(
      (seen) => `Committed locally as "Fix the trigger cap (SPW-142)", not pushed.

Done
- Fix and test in libs/engine only; ${seen.find(/Tests\s+(\d+) passed/)} engine tests pass; the type check of all libraries, api and worker is clean.

Decided with you
- Idle threads keep their stored trigger until their next message. No migration.
- The HTTP contract is untouched.

Open, for Thursday
1. Mira: take the commit into the release branch. I promised not to push, and have not.
2. Release notes: one line that policies with a large reserve_ratio on windows under 20,000 can be refused again.
3. I have not run the journey test (it needs Postgres and Redis). Whoever merges should run npm test once.
4. Ask support whether any thread besides ops-7f3a was reported, to close SPW-142.`,
    ),
  ],
};
