import { files, type FaultyRun } from './faulty-run.js';

const modules = 160;
const tidy = (i: number): string => `export function step${i}(input) {\n  return input + ${i};\n}\n`;

/** Linters say little about what is right; a script that lists its files first is how they are run in practice. */
const listed = (command: string): string[] => [
  '-c',
  `for f in src/*.js; do echo "checking $f"; done; ${command}`,
];

export const linterRuns: FaultyRun[] = [
  {
    name: 'eslint, an unused variable',
    make: (random) => {
      const bad = random(modules);
      return {
        files: {
          'eslint.config.mjs':
            "export default [{ rules: { 'no-unused-vars': 'error', 'no-undef': 'error' } }];",
          ...files(
            modules,
            (i) => `src/m${i}.js`,
            (i) => tidy(i) + (i === bad ? `const leftover${i} = 1;\n` : ''),
          ),
        },
        command: 'bash',
        args: listed('eslint src'),
        cause: [`m${bad}.js`, `'leftover${bad}' is assigned a value but never used`],
      };
    },
  },
  {
    name: 'eslint, a parsing error',
    make: (random) => {
      const bad = random(modules);
      return {
        files: {
          'eslint.config.mjs': 'export default [{}];',
          ...files(
            modules,
            (i) => `src/m${i}.js`,
            (i) => (i === bad ? 'export function broken( {\n' : tidy(i)),
          ),
        },
        command: 'bash',
        args: listed('eslint src'),
        cause: [`m${bad}.js`, 'Parsing error: Unexpected token'],
      };
    },
  },
  {
    name: 'prettier --check',
    make: (random) => {
      const bad = random(modules);
      return {
        files: files(
          modules,
          (i) => `src/m${i}.js`,
          (i) => (i === bad ? 'export   const x=1' : tidy(i)),
        ),
        command: 'bash',
        args: listed('prettier --check --log-level debug src'),
        cause: [`[warn] src/m${bad}.js`],
      };
    },
  },
  {
    name: 'dependency-cruiser, a forbidden import',
    make: (random) => {
      const bad = random(modules - 1) + 1;
      return {
        files: {
          '.dc.cjs':
            "module.exports = { forbidden: [{ name: 'no-inner', severity: 'error', from: {}, to: { path: '^src/inner' } }] };",
          'src/inner.js': 'export const secret = 1;\n',
          ...files(
            modules,
            (i) => `src/m${i}.js`,
            (i) => (i === bad ? `import { secret } from './inner.js';\nexport const s = secret;\n` : tidy(i)),
          ),
        },
        command: 'bash',
        args: listed('depcruise --config .dc.cjs --output-type err-long src'),
        cause: [`error no-inner: src/m${bad}.js → src/inner.js`],
      };
    },
  },
];
