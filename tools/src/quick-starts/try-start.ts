import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { freshEnvironment, runLine } from './command.js';
import type { Visit } from './console-pictures.js';
import { countLines, type LineCount, quickStartOf } from './quick-start.js';
import { answer, recordedIn } from './recorded.js';
import type { Start } from './starts.js';

/** Where a program runs and what it reaches. */
export interface Site {
  /** Empty, and removed by the caller. */
  folder: string;
  registryUrl: string;
  providerUrl: string;
  /** One API with a project for each Node.js that the program runs on, the first of which is photographed. */
  apiUrl: string;
  runs: readonly { node: string; key: string }[];
  visit: Visit;
  picture: string;
  signal: AbortSignal;
}

export interface InstalledPackage {
  name: string;
  version: string;
  /** The versions of Node.js that it asks for. */
  node: string | null;
}

export interface Measured {
  start: Start;
  /** What the install line names, without ours. */
  packages: InstalledPackage[];
  lines: LineCount;
  installSeconds: number;
  /** For each Node.js. */
  runSeconds: number[];
  consoleSeconds: number;
  /** What the thread holds. */
  steps: string[];
}

const program = 'quick-start.mjs';

/**
 * Does what a page says, from an empty folder: installs, saves the lines, runs them, and looks at the thread in the
 * console. Throws with the reason when a step fails.
 */
export async function tryStart(start: Start, site: Site): Promise<Measured> {
  const { folder, registryUrl, providerUrl, apiUrl, runs, visit, picture, signal } = site;
  const { install, code, isTypeScript } = quickStartOf(
    await readFile(join(repository, start.page), 'utf8'),
    start.heading,
  );
  const project = join(folder, 'my-agent');
  await mkdir(project);
  // The packages of Spillway come from the registry that serves the packed ones.
  await writeFile(join(project, '.npmrc'), `@spillway:registry=${registryUrl}\n`);
  // An empty cache: what a first installation takes.
  const environment = (node: string) => ({
    ...freshEnvironment(node),
    npm_config_cache: join(folder, 'cache'),
  });
  const line = (text: string, env: NodeJS.ProcessEnv, maxSeconds: number) =>
    runLine({ line: text, folder: project, env, maxSeconds, signal });
  const [first] = runs;
  const installed = await line(`npm init -y && ${install.trim()}`, environment(first!.node), 300);
  await writeFile(join(project, program), code);

  const calls = code.includes('listOrders');
  const runSeconds: number[] = [];
  let seen: { consoleSeconds: number; steps: string[] } | null = null;
  for (const { node, key } of runs) {
    const env = {
      ...environment(node),
      SPILLWAY_URL: apiUrl,
      SPILLWAY_KEY: key,
      OPENAI_API_KEY: 'sk-stub',
      OPENAI_BASE_URL: `${providerUrl}/v1`,
      ANTHROPIC_API_KEY: 'sk-stub',
      ANTHROPIC_BASE_URL: providerUrl,
      // Traces of the frameworks go to their makers.
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      MASTRA_TELEMETRY_DISABLED: '1',
    };
    const { seconds, stdout } = await line(`node ${program}`, env, 90);
    if (!stdout.includes(answer)) throw new Error(`${program} printed no answer: ${stdout.slice(0, 500)}`);
    runSeconds.push(seconds);
    const { id, steps } = await recordedIn({ url: apiUrl, key }, calls);
    if (seen) continue;
    seen = { consoleSeconds: await visit.seconds(id, answer), steps };
    await visit.photograph(picture);
  }
  if (isTypeScript) await checkTypes(project, line, environment(first!.node));
  const packages = await installedPackages(project);
  return {
    start,
    packages,
    lines: countLines(code),
    installSeconds: installed.seconds,
    runSeconds,
    ...seen!,
  };
}

async function installedPackages(project: string): Promise<InstalledPackage[]> {
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await readFile(join(project, path), 'utf8')) as T;
  const { dependencies } = await read<{ dependencies: Record<string, string> }>('package.json');
  const names = Object.keys(dependencies).filter((name) => !name.startsWith('@spillway/'));
  return Promise.all(
    names.map(async (name) => {
      const path = `node_modules/${name}/package.json`;
      const { version, engines } = await read<{ version: string; engines?: { node?: string } }>(path);
      return { name, version, node: engines?.node ?? null };
    }),
  );
}

/** The same lines are TypeScript, strict, with the types that the packages bring. */
async function checkTypes(
  project: string,
  line: (text: string, env: NodeJS.ProcessEnv, maxSeconds: number) => Promise<unknown>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await copyFile(join(project, program), join(project, 'quick-start.mts'));
  const modules = join(repository, 'node_modules');
  const options = '--noEmit --strict --target es2023 --module nodenext --skipLibCheck';
  const types = `--typeRoots '${modules}/@types' --types node`;
  await line(`node '${modules}/typescript/bin/tsc' ${options} ${types} quick-start.mts`, env, 120);
}
