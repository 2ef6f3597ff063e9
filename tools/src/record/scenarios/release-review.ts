import {
  assistant,
  bash,
  type Call,
  edit,
  read,
  type Scenario,
  type Step,
  user,
  type Words,
  write,
} from '../scenario.js';
import { systemPrompt } from './system-prompt.js';

const libraries = [
  'contracts',
  'engine',
  'blobs',
  'jobs',
  'llm',
  'store',
  'service',
  'client',
  'embedded',
  'testing',
];
const faces = { api: 'src/main.ts', worker: 'src/main.ts', console: 'app/layout.tsx' };

/** Look at one workspace: its manifest and sizes, its face, what it imports. */
function look(folder: string, face: string, words: Words | null): Step {
  return assistant(
    words,
    bash(
      `cat ${folder}/package.json; find ${folder} -name '*.ts*' -not -path '*/dist/*' -not -path '*/.next/*' -not -path '*/generated/*' -not -path '*/node_modules/*' | xargs wc -l | sort -n`,
    ),
    bash(`cat ${face}`),
    bash(
      `grep -rhoE "from '[^.'][^']*'" ${folder} --include=*.ts --include=*.tsx --exclude-dir=dist --exclude-dir=.next --exclude-dir=generated --exclude-dir=node_modules | sort | uniq -c | sort -rn`,
    ),
  );
}

const purpose: Record<string, string> = {
  contracts: 'The wire: zod schemas and the table of routes. It should import zod and nothing of ours.',
  engine:
    'The engine decides and does no I/O. If it imports anything with a socket or a clock in it, that is a finding.',
  blobs: 'Where offloaded outputs are kept.',
  jobs: 'Hints over Redis. Only this one may import bullmq.',
  llm: 'Summarizers. Vendor SDKs belong here and nowhere else.',
  store:
    'Postgres. Only this one may import pg and Prisma on the way of a message (embedded has pg, too, to see that its server is up).',
  service: 'The use cases, and the only reader of process.env on the server side.',
  client: 'Generated from OpenAPI.',
  embedded: 'The Postgres and Redis of npm start.',
  testing: 'For tests only; nothing that ships may import it.',
  api: 'Knows requests, decides nothing: service and contracts, and Nest.',
  worker: 'Knows jobs, decides nothing.',
  console: 'Knows the API through libs/client: no database, no queue, no LLM credentials.',
};

const check = (folder: string): Call => bash(`tsc -b ${folder} && echo "${folder}: clean"`, /: clean/);

/** ONE turn: a single request, dozens of tool calls, and the answer. Cutting it in the middle is the whole difficulty. */
export const releaseReview: Scenario = {
  name: 'release-review',
  system: systemPrompt,
  faults: [
    {
      path: 'libs/engine/src/models/context-window.ts',
      old: 'Object.hasOwn(table, name) ? table[name] : undefined',
      new: 'table[name]',
    },
  ],
  faultCommit: 'Shorten the look-up of context windows',
  steps: [
    user(`Review the whole workspace for the 0.1.0 tag (REL-33) in one go; I'm in meetings until the evening and can't answer questions.

For every library and app: what it is for, what it imports, whether the layering holds (engine imports none of ours and does no I/O; leaves don't import each other; vendor packages in one place each; nothing shipped imports testing). Files over 250 lines. Type check of each library. The engine's tests: one is red on my machine, find out why and fix it if the fix is in libs/engine; if it is not, only describe it.

Constraints: don't touch prisma/migrations; no dependency changes; don't reformat files; no commits, I want to read the diff. Write what you find to docs/review-0.1.0.md, at most 60 lines, findings first. Ids I need back in the text: REL-33, and SPW-151 for the red test.`),
    assistant(
      'A plan, since I cannot ask: 1. the workspace as a whole; 2. each library; 3. the apps; 4. layering and sizes; 5. type checks; 6. the red test; 7. the report. I keep to the constraints: no migrations, no dependency changes, no reformatting, no commits.',
      bash('git log --oneline | head -20; git status --short; ls'),
      bash('cat package.json nx.json'),
      bash(
        "find libs apps tools test -name '*.ts*' -not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/generated/*' -not -path '*/.next/*' | xargs wc -l | sort -n",
      ),
    ),
    ...libraries.map((name) =>
      look(`libs/${name}`, `libs/${name}/src/index.ts`, `libs/${name}. ${purpose[name]}`),
    ),
    ...Object.entries(faces).map(([name, face]) =>
      look(`apps/${name}`, `apps/${name}/${face}`, `apps/${name}. ${purpose[name]}`),
    ),
    assistant(
      'All workspaces seen. Now the rules, each with a search that would find a breach.',
      bash(
        'grep -rn "from \'@spillway/" libs/engine/src libs/contracts/src --include=*.ts; echo "engine and contracts: end of list"',
      ),
      bash(
        'for lib in blobs jobs llm store; do grep -rn "from \'@spillway/" libs/$lib/src --include=*.ts | grep -v "@spillway/engine" | sed "s/^/$lib imports another of ours: /"; done; echo "leaves: end of list"',
      ),
      bash(
        'grep -rnE "from \'(node:fs|node:net|node:http|node:child_process|undici|pg|ioredis)" libs/engine/src --include=*.ts; grep -rnE "Date\\.now|Math\\.random|process\\.env|fetch\\(" libs/engine/src --include=*.ts | grep -v "\\.test\\.ts"; echo "engine without I/O: end of list"',
      ),
    ),
    assistant(
      null,
      bash(
        'for p in bullmq ioredis pg @prisma/client ai next @nestjs/common; do echo "== $p"; grep -rlE "from \'$p(/[^\']*)?\'" libs apps tools --include=*.ts --include=*.tsx --exclude-dir=dist --exclude-dir=.next --exclude-dir=generated | cut -d/ -f1-2 | sort | uniq -c; done',
      ),
      bash(
        'grep -rln "@spillway/testing" libs apps tools test --include=*.ts --include=package.json | grep -v node_modules; echo "testing: end of list"',
      ),
      bash(
        'grep -rn "process\\.env" libs apps --include=*.ts --include=*.tsx --exclude-dir=dist --exclude-dir=.next --exclude-dir=generated',
      ),
    ),
    assistant(
      'Now the files whose shape decides whether a thread survives: how messages are appended, how a compaction is committed.',
      read('libs/store/src/sql/messages/append.ts'),
      read('libs/store/src/sql/compaction/commit.ts'),
      read('libs/service/src/messages/append-messages.ts'),
      read('libs/service/src/compaction/compact-thread.ts'),
      read('libs/service/src/context/read-context.ts'),
    ),
    assistant(
      'Type checks, one library at a time, so that a failure has an address.',
      ...['contracts', 'engine', 'blobs', 'jobs'].map((n) => check(`libs/${n}`)),
    ),
    assistant(null, ...['llm', 'store', 'service', 'client'].map((n) => check(`libs/${n}`))),
    assistant(
      'Clean. The red test (SPW-151).',
      bash('vitest run --root libs/engine 2>&1 | tail -150', /constructor/),
    ),
    assistant(
      'The window of a model named "constructor" is not a number. Names come from clients, so this is more than a curiosity. Reading how a name is looked up.',
      read('libs/engine/src/models/context-window.ts'),
      bash('grep -rn "contextWindowOf" libs apps --include=*.ts | grep -v generated'),
    ),
    assistant(
      `Cause: \`own\` reads table[name] directly. For "constructor", "toString" or "__proto__" that finds what every object inherits, so the window becomes a function, the budget NaN, and no compaction is ever due for such a thread. The name says "own" and the code no longer does. Looking at what follows from it before I fix it.`,
      bash(
        `tsc -b libs/engine && node --input-type=module -e '
import { budgetOf, contextWindowOf } from "./libs/engine/dist/index.js";
for (const name of ["gpt-4o", "constructor", "toString", "__proto__", "valueOf", "nobody-knows"]) {
  const { tokens, known } = contextWindowOf(name);
  const budget = typeof tokens === "number" ? budgetOf({}, tokens).trigger : "NO NUMBER";
  console.log(name.padEnd(14), typeof tokens, known, "trigger", budget);
}'`,
        /NO NUMBER/,
      ),
    ),
    assistant(
      'The fix is one line and inside libs/engine, so I may make it.',
      edit(
        'libs/engine/src/models/context-window.ts',
        'table[name]',
        'Object.hasOwn(table, name) ? table[name] : undefined',
      ),
      bash('vitest run --root libs/engine 2>&1 | tail -60', /Tests\s+\d+ passed/),
      bash('git diff'),
    ),
    assistant(
      (seen) =>
        `Green: ${seen.find(/Tests\s+(\d+) passed/)} tests. Before the report, the questions a reader will ask: what the API's routes are, which SQL the store writes by hand, and where the tests are.`,
      bash('cat libs/contracts/src/routes.ts'),
      bash(
        'grep -rnE "(SELECT|INSERT|UPDATE|DELETE) " libs/store/src --include=*.ts | grep -v generated | cut -c1-180',
      ),
      bash(
        'wc -l libs/*/src/*.test.ts libs/*/src/*/*.test.ts test/*.test.ts test/*/*.test.ts apps/*/test/*.ts 2>/dev/null | sort -n',
      ),
    ),
    assistant(
      'Writing the report.',
      write(
        'docs/review-0.1.0.md',
        `# Review for 0.1.0 (REL-33)

## Findings

1. SPW-151, fixed here: a model named like an inherited property ("constructor") had no window, so its threads were
   never compacted. One line in libs/engine/src/models/context-window.ts; the test was there and red.
2. libs/embedded imports pg besides libs/store: to see that its server is up. Intended; the rule should say so.
3. apps/worker imports jobs besides service, for its consumer. Say so in the rule, or hand it out through service.

## Layering

engine and contracts import none of ours. blobs, jobs, llm and store import engine only. Vendor packages have one
home each, with the exception above. Nothing that ships imports testing.

## Checked

Type check of eight libraries: clean. The engine's tests: green after the fix. Not run: tests that need Postgres and
Redis, the console in a browser.

## Not touched

prisma/migrations, dependencies, formatting. Nothing was committed.
`,
      ),
      bash(
        'wc -l docs/review-0.1.0.md; git status --short; prettier --check docs/review-0.1.0.md libs/engine/src/models/context-window.ts',
      ),
    ),
    assistant(
      (seen) => `REL-33 is reviewed; docs/review-0.1.0.md has it with the findings first.

- SPW-151 (the red test) is fixed in libs/engine/src/models/context-window.ts, one line: a model named "constructor" found an inherited property instead of nothing. ${seen.find(/Tests\s+(\d+) passed/)} engine tests pass.
- Layering holds with two exceptions that the rule should name: pg in libs/embedded, and jobs in apps/worker.
- Eight libraries type-check clean. Files over 250 lines are in the first size list: generated code and tables.

Kept: no migrations, no dependency changes, no reformatting, no commits. The diff to read is two files.

Open for you
1. Run npm test where Postgres and Redis are at hand; I did not.
2. Decide whether the window of an unknown model (8,192) should be in the release notes.
3. Close SPW-151 after you have read the diff.`,
    ),
  ],
};
