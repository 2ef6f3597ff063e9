import { files, type FaultyRun } from './faulty-run.js';

const modules = 180;

const project = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'es2022',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
  },
  include: ['src'],
});

const good = (i: number): string =>
  `${i > 0 ? `import { value${i - 1} } from './m${i - 1}';\n` : ''}export const value${i}: number = ${i > 0 ? `value${i - 1} + 1` : '0'};\n`;

const run = (name: string, args: string[], fault: 'type' | 'import'): FaultyRun => ({
  name: `tsc ${name}, ${fault}`,
  make: (random) => {
    const bad = random(modules - 1) + 1;
    const line =
      fault === 'type'
        ? `export const label${bad}: string = value${bad};\n`
        : `import { gone } from './missing${bad}';\nexport const use${bad} = gone;\n`;
    const cause =
      fault === 'type'
        ? ["Type 'number' is not assignable to type 'string'", `m${bad}.ts`]
        : [`Cannot find module './missing${bad}'`, `m${bad}.ts`];
    return {
      files: {
        'tsconfig.json': project,
        ...files(
          modules,
          (i) => `src/m${i}.ts`,
          (i) => good(i) + (i === bad ? line : ''),
        ),
      },
      command: 'tsc',
      args: ['-p', '.', ...args],
      cause,
    };
  },
});

export const typescriptRuns: FaultyRun[] = [
  run('--listFiles', ['--listFiles'], 'type'),
  run('--listFiles --pretty', ['--listFiles', '--pretty'], 'import'),
  run('--explainFiles', ['--explainFiles'], 'type'),
  run('--traceResolution', ['--traceResolution'], 'import'),
];
