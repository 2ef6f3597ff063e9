import { spawnSync } from 'node:child_process';

/**
 * `npm run build`: builds what has changed. With SPILLWAY_BUILT=1 the build that is there stays as it is: without its
 * daemon, Nx removes each output and copies it from its cache again, and a program that starts at that moment finds no
 * file to import. `.ci/run` sets it after its own build, because it runs checks beside the tests.
 */
if (process.env.SPILLWAY_BUILT !== '1') {
  const { status } = spawnSync('nx run-many -t build --output-style=static', {
    shell: true,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
