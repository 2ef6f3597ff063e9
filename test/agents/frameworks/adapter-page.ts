import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, type RunOptions } from './run-program.js';
import { typeErrorsOf } from './type-errors.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const source = (path: string): Promise<string> => readFile(join(repository, path), 'utf8');

/** The programs that an adapter's readers copy, and a folder with its framework in which they run. */
export interface AdapterPage {
  /** The lines of the README's quick start. */
  quickStart(): Promise<string>;
  /** The program in `examples`. */
  example(): Promise<string>;
  /** Runs lines as a program of this name, and returns what it printed. */
  run(
    name: string,
    lines: string,
    on: RunOptions & { args?: readonly string[] },
  ): Promise<{ stdout: string; stderr: string }>;
  /** What the compiler finds wrong in lines; empty for nothing. */
  typeErrors(name: string, lines: string): Promise<string>;
}

/**
 * `adapter` names its folder in `libs/adapters` and its program in `examples`; `folder` has the framework's
 * node_modules. Lines that are compiled may import a module of the adapter as `@spillway/<adapter>/<module>.js`.
 */
export function adapterPage(adapter: string, folder: string): AdapterPage {
  const imported = new RegExp(`'@spillway/${adapter}(?:/([^']+))?'`, 'g');
  const dist = `${repository}libs/adapters/${adapter}/dist/`;
  return {
    quickStart: async () => {
      const [, lines] = /```js\n(.*?)```/s.exec(await source(`libs/adapters/${adapter}/README.md`)) ?? [];
      if (lines === undefined) throw new Error(`The README of ${adapter} has no quick start.`);
      return lines;
    },
    example: () => source(`examples/${adapter}.mjs`),
    run: async (name, lines, { args = [], ...on }) => {
      const program = join(folder, `${name}.mjs`);
      await writeFile(program, lines);
      // The program finds our packages above it, also where the folder of installed frameworks is a link.
      return runProgram(process.execPath, ['--preserve-symlinks-main', program, ...args], on);
    },
    typeErrors: async (name, lines) => {
      const file = join(folder, `${name}.mts`);
      // The compiler follows the link, and finds none of our packages above the file.
      await writeFile(
        file,
        lines.replace(imported, (_, module?: string) => `'${dist}${module ?? 'index.js'}'`),
      );
      return typeErrorsOf(file);
    },
  };
}
