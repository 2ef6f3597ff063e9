import { files, type FaultyRun } from './faulty-run.js';

const modules = 150;
const linked = (i: number): string =>
  `${i < modules - 1 ? `import { part${i + 1} } from './p${i + 1}.js';\n` : ''}export const part${i} = ${i}${i < modules - 1 ? ` + part${i + 1}` : ''};\n`;
const entry = `import { part0 } from './p0.js';\nconsole.log(part0);\n`;

/** What a build prints while it goes well. */
const steps = (n: number): string =>
  `for (let i = 0; i < ${n}; i++) console.log('[' + i + '/${n}] bundling chunk-' + (i * 7919 % 1013) + '.js');`;

export const buildRuns: FaultyRun[] = [
  {
    name: 'vite build, an import that is not there',
    make: (random) => {
      const bad = random(modules);
      return {
        files: {
          'before.mjs': steps(200),
          'index.html': '<script type="module" src="/src/main.js"></script>',
          'src/main.js': entry,
          ...files(
            modules,
            (i) => `src/p${i}.js`,
            (i) => linked(i) + (i === bad ? `import { lost } from './lost${i}.js';\nlost();\n` : ''),
          ),
        },
        command: 'bash',
        args: ['-c', 'node before.mjs; vite build'],
        cause: [`lost${bad}.js`, `src/p${bad}.js`],
      };
    },
  },
  {
    name: 'vite build, a syntax error',
    make: (random) => {
      const bad = random(modules);
      return {
        files: {
          'before.mjs': steps(200),
          'index.html': '<script type="module" src="/src/main.js"></script>',
          'src/main.js': entry,
          ...files(
            modules,
            (i) => `src/p${i}.js`,
            (i) => linked(i) + (i === bad ? 'export const = 5;\n' : ''),
          ),
        },
        command: 'bash',
        args: ['-c', 'node before.mjs; vite build'],
        cause: [`p${bad}.js`],
      };
    },
  },
  {
    name: 'npm run, a script that fails in the middle of others',
    make: (random) => {
      const at = random(120) + 20;
      return {
        files: {
          'package.json': JSON.stringify({
            name: 'shop',
            version: '1.0.0',
            scripts: { build: 'node build.mjs' },
          }),
          'build.mjs': `${steps(at)}\nthrow new Error('chunk ${at} refers to the removed export "checkout${at}"');`,
        },
        command: 'npm',
        args: ['run', 'build'],
        cause: [`chunk ${at} refers to the removed export "checkout${at}"`],
      };
    },
  },
  {
    name: 'npm run, a script that does not exist',
    make: (random) => {
      const name = `deploy-${random(900)}`;
      const scripts = Object.fromEntries(
        Array.from({ length: 160 }, (_, i) => [`task-${i}`, `node task.mjs ${i}`]),
      );
      return {
        files: { 'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', scripts }) },
        command: 'bash',
        args: ['-c', `npm run; npm run ${name}`],
        cause: [`Missing script: "${name}"`],
      };
    },
  },
  {
    name: 'npm install, a local package that is not there',
    make: (random) => {
      const name = `kit-${random(900)}`;
      return {
        files: {
          'before.mjs': steps(180),
          'package.json': JSON.stringify({
            name: 'shop',
            version: '1.0.0',
            dependencies: { [name]: `file:./vendor/${name}.tgz` },
          }),
        },
        command: 'bash',
        args: ['-c', 'node before.mjs; npm install --offline --no-audit --no-fund'],
        cause: [`vendor/${name}.tgz`],
      };
    },
  },
];
