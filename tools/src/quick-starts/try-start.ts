import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repository } from '../repository.js';
import { freshEnvironment, runLine } from './command.js';
import type { Visit } from './console-pictures.js';
import { countLines, type LineCount, quickStartOf } from './quick-start.js';
import { recordedIn } from './recorded.js';
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
  /** For each Node.js on which it runs. */
  runSeconds: number[];
  consoleSeconds: number;
  /** What the thread holds. */
  steps: string[];
  /** The picture shows the thread from its beginning. */
  isWhole: boolean;
}

/** Where pages say that Spillway is. */
const usualUrl = 'http://localhost:4000';

/**
 * Does what a page says, from an empty folder: installs, saves the lines, runs them, and looks at the thread in the
 * console. Throws with the reason when a step fails.
 */
export async function tryStart(start: Start, site: Site): Promise<Measured> {
  const { folder, registryUrl, providerUrl, apiUrl, runs, visit, picture, signal } = site;
  const { install, code, file, command, isTypeScript } = quickStartOf(
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
  const home = join(folder, 'home');
  await mkdir(home);
  // Settings have no variables: the address is the one place where they and their command differ from the page.
  const areSettings = file.startsWith('~/');
  if (areSettings) await write(join(home, file.slice(2)), code.replace(usualUrl, apiUrl));
  else await write(join(project, file), code);
  for (const [path, content] of Object.entries(start.home?.(providerUrl) ?? {}))
    await write(join(home, path), JSON.stringify(content));

  const { answer } = start.conversation;
  const runSeconds: number[] = [];
  let seen: Pick<Measured, 'consoleSeconds' | 'steps' | 'isWhole'> | null = null;
  for (const { node, key } of runs) {
    const env = {
      ...environment(node),
      // Programs keep settings and sessions there: nothing of the user of this machine, who may have such a program.
      HOME: home,
      SPILLWAY_URL: apiUrl,
      SPILLWAY_KEY: key,
      // What a program reaches by its settings is Spillway alone.
      ...(areSettings ? {} : ofProvider(providerUrl)),
      // Traces of the frameworks go to their makers.
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      MASTRA_TELEMETRY_DISABLED: '1',
      // Programs ask the servers of their makers for newer versions and lists of models.
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      PI_OFFLINE: '1',
      DISABLE_TELEMETRY: '1',
    };
    const { seconds, stdout, printed } = await line(command.replace(usualUrl, apiUrl), env, 90);
    if (!stdout.includes(answer)) throw new Error(`"${command}" printed no answer: ${stdout.slice(0, 500)}`);
    const outdated = /^.*model .*deprecated.*$/im.exec(printed);
    if (outdated) throw new Error(`"${command}" names a model that ends: ${outdated[0]}`);
    runSeconds.push(seconds);
    const { id, steps } = await recordedIn({ url: apiUrl, key }, start.conversation);
    if (seen) continue;
    const consoleSeconds = await visit.seconds(id, answer);
    seen = { consoleSeconds, steps, isWhole: await visit.photograph(picture) };
  }
  if (isTypeScript) await checkTypes(project, file, line, environment(first!.node));
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

const ofProvider = (url: string): Record<string, string> => ({
  OPENAI_API_KEY: 'sk-stub',
  OPENAI_BASE_URL: `${url}/v1`,
  ANTHROPIC_API_KEY: 'sk-stub',
  ANTHROPIC_BASE_URL: url,
  GEMINI_API_KEY: 'stub',
  GOOGLE_GEMINI_BASE_URL: url,
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
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
  file: string,
  line: (text: string, env: NodeJS.ProcessEnv, maxSeconds: number) => Promise<unknown>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await copyFile(join(project, file), join(project, 'quick-start.mts'));
  const modules = join(repository, 'node_modules');
  const options = '--noEmit --strict --target es2023 --module nodenext --skipLibCheck';
  const types = `--typeRoots '${modules}/@types' --types node`;
  await line(`node '${modules}/typescript/bin/tsc' ${options} ${types} quick-start.mts`, env, 120);
}
