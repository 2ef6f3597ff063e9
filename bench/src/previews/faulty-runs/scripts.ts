import type { FaultyRun } from './faulty-run.js';

/** A service or a script that logs what it does, and then what goes wrong. */
const lines = (n: number): string =>
  `const at = (i) => new Date(1.7e12 + i * 1000).toISOString();\nfor (let i = 0; i < ${n}; i++) console.log(at(i) + ' INFO  worker-' + i % 8 + ' finished job ' + (i * 7919 % 100003) + ' in ' + i % 97 + ' ms');\n`;

export const scriptRuns: FaultyRun[] = [
  {
    name: 'node, an exception nobody caught',
    make: (random) => {
      const n = random(2_000) + 200;
      return {
        files: {
          'serve.mjs': `${lines(n)}function settle(account) { return account.balance.cents; }\nsettle({ id: ${n} });\n`,
        },
        command: process.execPath,
        args: ['serve.mjs'],
        cause: ["Cannot read properties of undefined (reading 'cents')"],
      };
    },
  },
  {
    name: 'node, an error that was logged and work that went on',
    make: (random) => {
      const [n, job] = [random(1_500) + 300, random(90_000)];
      return {
        files: {
          'serve.mjs': `${lines(n)}console.log(at(9) + ' ERROR worker-3 job ${job} failed: connection to ledger-${n} refused');\n${lines(400).split('\n')[1]}`,
        },
        command: process.execPath,
        args: ['serve.mjs'],
        cause: [`job ${job} failed: connection to ledger-${n} refused`],
      };
    },
  },
  {
    name: 'node, a syntax error after much output',
    make: (random) => {
      const n = random(800) + 200;
      return {
        files: {
          'start.mjs': `${lines(n)}await import('./plugin${n}.mjs');\n`,
          [`plugin${n}.mjs`]: 'export default {\n  name: "x"\n  version: 2,\n};\n',
        },
        command: process.execPath,
        args: ['start.mjs'],
        cause: ['SyntaxError', `plugin${n}.mjs`],
      };
    },
  },
  {
    name: 'node, a module that is not there',
    make: (random) => {
      const n = random(800) + 200;
      return {
        files: { 'start.mjs': `${lines(n)}await import('left-out-${n}');\n` },
        command: process.execPath,
        args: ['start.mjs'],
        cause: [`Cannot find package 'left-out-${n}'`],
      };
    },
  },
  {
    name: 'bash -x, a command that is not there',
    make: (random) => {
      const n = random(150) + 60;
      return {
        files: {
          'deploy.sh': `set -e\nfor i in $(seq 1 ${n}); do echo "copying asset $i"; done\nprotoc-gen-${n} --out .\necho done\n`,
        },
        command: 'bash',
        args: ['-x', 'deploy.sh'],
        cause: [`protoc-gen-${n}: command not found`],
      };
    },
  },
  {
    name: 'bash, a variable that is not set',
    make: (random) => {
      const n = random(150) + 150;
      return {
        files: {
          'deploy.sh': `set -eu\nfor i in $(seq 1 ${n}); do echo "copying asset $i"; done\necho "to $DEPLOY_TARGET_${n}"\n`,
        },
        command: 'bash',
        args: ['deploy.sh'],
        cause: [`DEPLOY_TARGET_${n}: unbound variable`],
      };
    },
  },
  {
    name: 'tar, an archive that is none',
    make: (random) => {
      const n = random(150) + 150;
      return {
        files: {
          'unpack.sh': `for i in $(seq 1 ${n}); do echo "verified part $i"; done\ntar -xzf release-${n}.tgz\n`,
          [`release-${n}.tgz`]: 'no archive',
        },
        command: 'bash',
        args: ['unpack.sh'],
        cause: ['not in gzip format'],
      };
    },
  },
];
