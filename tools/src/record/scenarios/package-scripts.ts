/** What the auditing agent runs: small programs over package-lock.json and the manifests on disk. */
const script = (code: string): string => `node --input-type=module -e '${code}'`;

export const licences = script(`
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

export const duplicates = script(`
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

export const installScripts = script(`
import { readFileSync } from "node:fs";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
for (const [path, { hasInstallScript, version, optional }] of Object.entries(packages)) {
  if (!hasInstallScript) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + 13);
  console.log(name.padEnd(40), version.padEnd(20), optional ? "optional" : "        ", name in allowScripts ? (allowScripts[name] ? "ALLOWED" : "denied") : "NOT COVERED");
}`);

export const undeclared = script(`
import { readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
const walk = (d) => readdirSync(d).flatMap((n) => n === "dist" || n === "node_modules" || n === "generated" || n === ".next" ? [] : statSync(d + "/" + n).isDirectory() ? walk(d + "/" + n) : [d + "/" + n]);
for (const w of ["libs", "apps"].flatMap((d) => readdirSync(d).map((n) => d + "/" + n))) {
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

export const newerNode = script(`
import { readFileSync } from "node:fs";
import semver from "semver";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, { engines, version, dev, optional }] of Object.entries(packages)) {
  const node = engines?.node;
  if (!node || semver.satisfies("20.19.0", node)) continue;
  console.log(path.replace("node_modules/", "").padEnd(48), version.padEnd(18), (dev ? "dev" : optional ? "optional" : "RUN TIME").padEnd(9), node);
}`);
