import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../../repository.js';
import { cliComplaints } from './cli.js';
import { commandsOf } from './commands-of.js';
import { curlComplaints } from './curl.js';

type Check = (words: readonly string[]) => string[];

/** How a call of each program is checked. A program that is not here is reported. */
const programs: Record<string, Check> = {
  curl: curlComplaints,
  npm: npmComplaints,
  npx: npxComplaints,
  node: ([, file = '']) =>
    file === '' || file.startsWith('-') || existsSync(join(repository, file)) ? [] : [`no file ${file}`],
  docker: dockerComplaints,
  spillway: ([, ...words]) => cliComplaints(words),
  // Without it a dump by an owner that row-level security binds fails.
  pg_dump: (words) =>
    words.includes('--enable-row-security') ? [] : ['pg_dump needs --enable-row-security, see the guide'],
  // They read or print what stands beside them, and take nothing of this repository.
  export: () => [],
  echo: () => [],
  cat: () => [],
  jq: () => [],
  head: () => [],
};

/** Reports commands of a script that this repository, its programs or its API do not have. */
export function shellComplaints(script: string): string[] {
  let commands: string[][];
  try {
    commands = commandsOf(withoutTranscript(script));
  } catch (error) {
    return [(error as Error).message];
  }
  return commands.flatMap((words) => {
    const check = Object.hasOwn(programs, words[0]!) ? programs[words[0]!] : undefined;
    return check ? check(words) : [`no check knows the program "${words[0]!}"`];
  });
}

/** In a transcript each command begins with `$ `, and what it prints follows. */
function withoutTranscript(script: string): string {
  const lines = script.split('\n');
  if (!lines.some((line) => line.startsWith('$ '))) return script;
  return lines
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2))
    .join('\n');
}

const packageFile = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Packages of this repository and of the frameworks that its tests install. */
const locked = [
  'package-lock.json',
  ...globSync('test/agents/frameworks/*/package-lock.json', { cwd: repository }),
]
  .map((path) => readFileSync(join(repository, path), 'utf8'))
  .map((text) => JSON.parse(text) as { packages: Record<string, { name?: string }> })
  .reduceRight<Record<string, { name?: string }>>((all, { packages }) => ({ ...all, ...packages }), {});

/** Commands of npm itself. */
const ownCommands = new Set(['ci', 'pack', 'version']);

function npmComplaints([, command = '', ...rest]: readonly string[]): string[] {
  const words = rest.filter((word) => !word.startsWith('-'));
  if (command === 'run') return scriptComplaints(words[0] ?? '');
  if (command === 'test' || command === 'start') return scriptComplaints(command);
  if (command === 'install' || command === 'i') return words.flatMap(packageComplaints);
  return ownCommands.has(command) ? [] : [`no check knows npm ${command}`];
}

export function scriptComplaints(name: string): string[] {
  return Object.hasOwn(packageFile.scripts, name) ? [] : [`package.json has no script "${name}"`];
}

/** A package is one of this repository, or one that it uses and tests with. */
function packageComplaints(word: string): string[] {
  const name = word.replace(/(?<=.)@[^/]*$/, '');
  return Object.hasOwn(locked, `node_modules/${name}`) ? [] : [`no package ${name} in a lock file`];
}

function npxComplaints([, ...words]: readonly string[]): string[] {
  const [program = '', ...rest] = words.filter((word, i) => !(i === 0 && word === '-y'));
  if (program === '@spillway/cli') return cliComplaints(rest);
  if (!existsSync(join(repository, 'node_modules/.bin', program))) return [`no program ${program}`];
  const files = rest.filter((word) => /^[\w.-]+(\/[\w.*-]+)+$/.test(word));
  return files.filter((file) => !existsSync(join(repository, file))).map((file) => `no file ${file}`);
}

function dockerComplaints([, command = '', verb = '', ...rest]: readonly string[]): string[] {
  if (command !== 'compose') return [`no check knows docker ${command}`];
  if (!/^(up|down|logs|exec|run|ps|pull|build|stop|restart)$/.test(verb))
    return [`docker compose has no "${verb}"`];
  const { services } = parse(readFileSync(join(repository, 'docker-compose.yml'), 'utf8')) as {
    services: Record<string, unknown>;
  };
  const names = rest.filter((word) => !word.startsWith('-'));
  // What follows a service runs in it.
  const own = verb === 'exec' || verb === 'run' ? names.slice(0, 1) : names;
  return own
    .filter((name) => !Object.hasOwn(services, name))
    .map((name) => `docker-compose.yml has no service "${name}"`);
}
