import { failure, type FailureSample } from './sample.js';

export const systemFailures: readonly FailureSample[] = [
  failure(
    'a shell',
    `
|./build.sh: line 31: protoc: command not found
make: *** [Makefile:12: proto] Error 127`,
  ),
  failure(
    'a missing script',
    `
|/home/travis/.travis/functions: line 109: ./ci/run.sh: No such file or directory
The command "./ci/run.sh" exited with 127.`,
  ),
  failure(
    'docker',
    `
#9 4.112 checking for openssl... no
|#9 4.113 configure: error: OpenSSL is required
------
ERROR: failed to solve: process "/bin/sh -c ./configure" did not complete successfully: exit code: 1`,
  ),
  failure(
    'docker pulling',
    `
|Error response from daemon: manifest for example/app:9.9 not found: manifest unknown`,
  ),
  failure(
    'terraform',
    `
|│ Error: Unsupported argument
│
|│   on main.tf line 12, in resource "aws_instance" "web":
│   12:   instnce_type = "t3.micro"`,
  ),
  failure(
    'ansible',
    `
TASK [web : install nginx] *****************************************************
|fatal: [web1]: FAILED! => {"changed": false, "msg": "No package matching 'ngnix' is available"}
PLAY RECAP *********************************************************************
web1  : ok=4  changed=1  unreachable=0  failed=1`,
  ),
  failure(
    'kubectl',
    `
|error: error validating "deploy.yaml": error validating data: ValidationError(Deployment.spec): missing required field "selector"`,
  ),
  failure(
    'helm',
    `
|Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: field is immutable`,
  ),
  failure(
    'git',
    `
|CONFLICT (content): Merge conflict in src/pool.ts
Automatic merge failed; fix conflicts and then commit the result.`,
  ),
  failure(
    'a clone',
    `
Cloning into 'app'...
|fatal: could not read Username for 'https://github.com': terminal prompts disabled`,
  ),
  failure(
    'a submodule',
    `
|fatal: reference is not a tree: 1f0c7d
|Unable to checkout '1f0c7d' in submodule path 'deps/x'`,
  ),
  failure(
    'a full disk',
    `
|tar: write error: No space left on device
tar: Exiting with failure status due to previous errors`,
  ),
  failure(
    'silence',
    `
|No output has been received in the last 10m0s, this potentially indicates a stalled build or something wrong with the build itself.
The build has been terminated`,
  ),
  failure(
    'a long job',
    `
|The job exceeded the maximum time limit for jobs, and has been terminated.`,
  ),
  failure(
    'a long log',
    `
|The log length has exceeded the limit of 4 MB (this usually means that the test suite is raising the same exception over and over).
The job has been terminated`,
  ),
  failure(
    'an address in use',
    `
|Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle (net.js:1300:14)`,
  ),
  failure(
    'a server that does not answer',
    `
|curl: (7) Failed to connect to localhost port 8080: Connection refused
The command "curl -f http://localhost:8080/health" exited with 7.`,
  ),
  failure(
    'jenkins',
    `
|ERROR: Couldn't find any revision to build. Verify the repository and branch configuration for this job.
Finished: FAILURE`,
  ),
  failure(
    'a workflow file',
    `
|Error: Input required and not supplied: token
##[error]Process completed with exit code 1.`,
  ),
  failure(
    'an sql client',
    `
|psql:schema.sql:14: ERROR:  relation "carts" does not exist
LINE 1: ALTER TABLE carts ADD total int;
                    ^`,
  ),
];
