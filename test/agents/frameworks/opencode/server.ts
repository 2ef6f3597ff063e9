import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installFramework, missingFramework } from '../install-framework.js';

const run = promisify(execFile);

/** A message of a session, as far as tests look at it. */
export interface Entry {
  info: { id: string; role: string; error?: { name: string; data?: { message?: string } } };
  parts: { type: string; text?: string; tool?: string; state?: { output?: string } }[];
}

export interface OpencodeServer {
  /** Sends a request of opencode's API to the instance of a folder, which has plugins of its own. */
  call: <T>(method: string, path: string, folder: string, body?: object) => Promise<T>;
  stop(): Promise<void>;
}

/** Its own installation starts the program once to try it, which takes more than a second of CPU. */
let loaded: Promise<{ program: string; folder: string }> | undefined;

/** Returns why opencode cannot run here, or null. */
export const missingOpencode = (): Promise<string | null> => missingFramework('opencode', loadOpencode);

/**
 * Returns the real program, with what its own installation would do: npm runs no scripts here. Throws where the registry
 * has no program for this platform.
 */
export const loadOpencode = (): Promise<{ program: string; folder: string }> => (loaded ??= load());

async function load(): Promise<{ program: string; folder: string }> {
  const folder = await installFramework('opencode');
  const installed = join(folder, 'node_modules/opencode-ai');
  await run(process.execPath, [join(installed, 'postinstall.mjs')]).catch((error: { stderr: string }) => {
    const { platform, arch } = process;
    throw new Error(`the registry has no program of opencode for ${platform} on ${arch}. ${error.stderr}`);
  });
  return { program: join(installed, 'bin/opencode.exe'), folder };
}

/**
 * The environment of an opencode that has nothing of the machine’s user and asks no server of its makers. `PWD` would be
 * taken for its folder.
 */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(OPENCODE_|XDG_|PWD$)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_MODELS_PATH: modelsFile(home),
  };
}

/**
 * A list of models without one, in place of the list of all providers that the program has in itself: each instance
 * would make objects of the thousands in it, and tests name their only model in `configOf`.
 */
const modelsFile = (home: string): string => join(home, 'models.json');

/**
 * Puts into a new home what opencode would install there from the registry at its first message: the package of its
 * plugins, 95 MB that the framework has already. On a busy machine that took minutes. It installs nothing where a lock
 * file has what the package names.
 */
export async function prepareHome(home: string): Promise<void> {
  const { folder } = await loadOpencode();
  const own = join(home, '.config/opencode');
  await mkdir(own, { recursive: true });
  await writeFile(modelsFile(home), '{}');
  await symlink(join(folder, 'node_modules'), join(own, 'node_modules'));
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(folder, name), join(own, name));
}

/** Returns the contents of an `opencode.json` whose model is a stub provider over OpenAI chat. */
export const configOf = (providerUrl: string, model: string, more: object = {}): object => ({
  provider: {
    stub: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${providerUrl}/v1`, apiKey: 'sk-test' },
      models: { [model]: { tool_call: true, limit: { context: 128_000, output: 500 } } },
    },
  },
  model: `stub/${model}`,
  small_model: `stub/${model}`,
  enabled_providers: ['stub'],
  share: 'disabled',
  ...more,
});

/** Starts `opencode serve`, on a home of its own, with these variables for its plugins. */
export async function startServer(variables: Record<string, string> = {}): Promise<OpencodeServer> {
  const { program } = await loadOpencode();
  const home = await mkdtemp(join(tmpdir(), 'spillway-opencode-'));
  await prepareHome(home);
  const server = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: home,
    env: { ...environmentOf(home), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(server, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /listening on (http:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    server.once('close', () => reject(new Error(`opencode serve ended: ${output}`)));
  });
  return {
    async call<T>(method: string, path: string, folder: string, body?: object) {
      const response = await fetch(`${url}${path}?directory=${encodeURIComponent(folder)}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
      return (answer === '' ? null : JSON.parse(answer)) as T;
    },
    async stop() {
      server.kill();
      await closed;
      await rm(home, { recursive: true });
    },
  };
}
