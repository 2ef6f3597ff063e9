import { failure, type FailureSample } from './sample.js';

export const packageFailures: readonly FailureSample[] = [
  failure(
    'npm without a version',
    `
npm error code ETARGET
|npm error notarget No matching version found for left-pad@^9.9.9.
npm error notarget In most cases you or one of your dependencies are requesting
npm error notarget a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/ci/.npm/_logs/debug-0.log`,
  ),
  failure(
    'npm resolving',
    `
npm ERR! code ERESOLVE
|npm ERR! ERESOLVE unable to resolve dependency tree
npm ERR!
npm ERR! While resolving: app@1.0.0
|npm ERR! Found: react@18.2.0
npm ERR! node_modules/react
|npm ERR! Could not resolve dependency:
|npm ERR! peer react@"^17" from widgets@3.1.0`,
  ),
  failure(
    'yarn',
    `
yarn install v1.22.4
[1/4] Resolving packages...
[2/4] Fetching packages...
|error widgets@3.1.0: The engine "node" is incompatible with this module. Expected version ">=12". Got "10.24.1"
|error Found incompatible module.
info Visit https://yarnpkg.com/en/docs/cli/install for documentation about this command.`,
  ),
  failure(
    'yarn with a lockfile',
    `|error Your lockfile needs to be updated, but yarn was run with \`--frozen-lockfile\`.
info Visit https://yarnpkg.com/en/docs/cli/install for documentation about this command.`,
  ),
  failure(
    'pnpm',
    `
| ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json`,
  ),
  failure(
    'pip',
    `
Collecting nosuch==9.9 (from -r requirements.txt (line 4))
|  Could not find a version that satisfies the requirement nosuch==9.9 (from -r requirements.txt (line 4)) (from versions: 1.0, 1.1)
|No matching distribution found for nosuch==9.9 (from -r requirements.txt (line 4))`,
  ),
  failure(
    'a wheel that does not build',
    `
  building 'cart' extension
|  cart.c:4:10: fatal error: Python.h: No such file or directory
  compilation terminated.
  error: command 'x86_64-linux-gnu-gcc' failed with exit status 1
  ERROR: Failed building wheel for cart`,
  ),
  failure(
    'bundler',
    `
Fetching gem metadata from https://rubygems.org/
|Bundler could not find compatible versions for gem "rack":
|  In Gemfile:
|    rails (= 6.0.0) was resolved to 6.0.0, which depends on
|      rack (~> 2.0)`,
  ),
  failure(
    'bundler with a gem of C',
    `
|Gem::Ext::BuildError: ERROR: Failed to build gem native extension.
    current directory: /gems/pg-1.1.4/ext
checking for pg_config... no
|No pg_config... trying anyway. If building fails, please try again with --with-pg-config=/path/to/pg_config
An error occurred while installing pg (1.1.4), and Bundler cannot continue.
Make sure that \`gem install pg -v '1.1.4'\` succeeds before bundling.`,
  ),
  failure(
    'composer',
    `
|Your requirements could not be resolved to an installable set of packages.

|  Problem 1
|    - Root composer.json requires php ^8.1 but your php version (7.4.3) does not satisfy that requirement.`,
  ),
  failure(
    'gradle resolving',
    `
FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileJava'.
|> Could not resolve com.example:lib:4.2.
|   > Could not get resource 'https://repo.example.com/lib-4.2.pom'.
* Try:
Run with --stacktrace option to get the stack trace.`,
  ),
  failure(
    'maven resolving',
    `
[INFO] BUILD FAILURE
|[ERROR] Failed to execute goal on project app: Could not resolve dependencies for project com.example:app:jar:1.0: Could not find artifact com.example:lib:jar:4.2 in central (https://repo.maven.apache.org/maven2) -> [Help 1]
[ERROR]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.`,
  ),
  failure(
    'apt',
    `
Reading package lists... Done
Building dependency tree
|E: Unable to locate package libfoo-dev
The command "sudo apt-get install -y libfoo-dev" failed and exited with 100 during .`,
  ),
  failure(
    'apt with held packages',
    `
|The following packages have unmet dependencies:
| libfoo-dev : Depends: libfoo1 (= 1.0-1) but 1.0-2 is to be installed
|E: Unable to correct problems, you have held broken packages.`,
  ),
  failure(
    'homebrew',
    `
==> Downloading https://example.com/foo-1.0.tar.gz
curl: (22) The requested URL returned error: 404
|Error: Failed to download resource "foo"
|Download failed: https://example.com/foo-1.0.tar.gz`,
  ),
  failure(
    'go modules',
    `
go: downloading github.com/pkg/errors v0.9.1
|go: github.com/pkg/errors@v0.9.1: verifying module: checksum mismatch
	downloaded: h1:aaa=
	go.sum:     h1:bbb=
SECURITY ERROR`,
  ),
  failure(
    'stack',
    `
|Error: While constructing the build plan, the following exceptions were encountered:
|In the dependencies for app-0.1:
|    base-4.12 from stack configuration does not match >=4.13
Plan construction failed.`,
  ),
  failure(
    'hex',
    `
|** (Mix) Could not start application cowboy: could not find application file: cowboy.app`,
  ),
  failure(
    'cocoapods',
    `
Analyzing dependencies
|[!] Unable to find a specification for \`Realm (= 9.9.9)\``,
  ),
];
