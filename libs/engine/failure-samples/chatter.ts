/** What builds say while nothing is wrong; some of it sounds like failure. */
export const chatter = (n: number): string[] =>
  Array.from(
    { length: n },
    (_, i) =>
      [
        `[${i}/${n}] Compiling module_${(i * 7919) % 1013}`,
        `ok ${i} - handles case ${(i * 31) % 977}`,
        `Downloading https://example.com/packages/p${i}.tgz`,
        `  CC       src/unit_${i}.o`,
        `    ✓ throws an error if part ${i} is missing`,
        `test cache::errors::case_${i} ... ok`,
        `npm WARN deprecated part@${i}.0.0: no longer maintained`,
        `src/unit_${i}.c:${i}:7: warning: unused variable 'x' [-Wunused-variable]`,
        `[INFO] Tests run: ${i}, Failures: 0, Errors: 0, Skipped: 0`,
        `Setting up liberror-perl (1.${i}-1) ...`,
      ][i % 10]!,
  );

/** What a machine says while it is made ready; what looks like failure here was survived. */
const survived = (n: number): string[] =>
  Array.from(
    { length: n },
    (_, i) =>
      [
        `Get:${i} http://archive.example.com/ubuntu main amd64 lib${i} [${i} kB]`,
        'dpkg-preconfigure: unable to re-open stdin: No such file or directory',
        `Unpacking lib${i} (1.0-${i}) ...`,
        'fatal: No names found, cannot describe anything.',
        `gpg: error reading key ${i}: public key not found`,
        `ls: cannot access '/home/ci/.p${i}': No such file or directory`,
      ][i % 6]!,
  );

/** A run of Travis CI in which one command fails. */
export const travisRun = (before: readonly string[], failure: readonly string[]): string[] => [
  'travis_fold:start:system_info',
  ...survived(60),
  'travis_fold:end:system_info',
  '$ ./install',
  ...survived(30),
  'The command "./install" exited with 0.',
  'travis_time:start:0a1b',
  '$ ./ci/run',
  ...before,
  ...failure,
  'travis_time:end:0a1b:start=1,finish=2,duration=1',
  ...(failure.some((line) => line.startsWith('The command "'))
    ? []
    : ['The command "./ci/run" exited with 1.']),
  'travis_fold:start:after_failure',
  '$ cat debug.log',
  ...survived(12),
  'travis_fold:end:after_failure',
  '',
  'Done. Your build exited with 1.',
];

/** A job of GitHub Actions in which one step fails: each line has a time before it. */
export const actionsRun = (before: readonly string[], failure: readonly string[]): string[] =>
  [
    '##[group]Operating System',
    'Ubuntu',
    '##[endgroup]',
    ...survived(30),
    '##[group]Run make test',
    'make test',
    '##[endgroup]',
    ...before,
    ...failure,
    '##[error]Process completed with exit code 2.',
    'Post job cleanup.',
    '[command]/usr/bin/git version',
    'fatal: not a git repository (or any of the parent directories): .git',
    'Cleaning up orphan processes',
  ].map((line, i) => {
    const [minute, second] = [Math.floor(i / 60) % 60, i % 60].map((n) => String(n).padStart(2, '0'));
    return `2024-02-01T10:${minute}:${second}.${1_000_000 + ((i * 7919) % 8_999_999)}Z ${line}`;
  });
