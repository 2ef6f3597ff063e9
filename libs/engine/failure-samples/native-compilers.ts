import { failure, type FailureSample } from './sample.js';

export const nativeCompilerFailures: readonly FailureSample[] = [
  failure(
    'gcc',
    `
src/net.c: In function 'dial':
|src/net.c:120:11: error: 'timeot' undeclared (first use in this function); did you mean 'timeout'?
  120 |   int t = timeot;
      |           ^~~~~~
make[2]: *** [src/CMakeFiles/net.dir/build.make:76: src/net.o] Error 1
make: *** [Makefile:130: all] Error 2`,
  ),
  failure(
    'a linker',
    `
/usr/bin/ld: main.o: in function \`main':
|main.c:(.text+0x1f): undefined reference to \`flush_all'
collect2: error: ld returned 1 exit status
make: *** [Makefile:9: app] Error 1`,
  ),
  failure(
    'the linker of Apple',
    `
|Undefined symbols for architecture x86_64:
|  "_OBJC_CLASS_$_RLMToken", referenced from:
      objc-class-ref in TokenTests.o
|ld: symbol(s) not found for architecture x86_64
clang: error: linker command failed with exit code 1 (use -v to see invocation)`,
  ),
  failure(
    'cmake',
    `
-- Looking for pthread.h - found
|CMake Error at cmake/FindZ.cmake:41 (message):
|  Could NOT find ZLIB (missing: ZLIB_LIBRARY ZLIB_INCLUDE_DIR)
Call Stack (most recent call first):
  CMakeLists.txt:88 (include)
-- Configuring incomplete, errors occurred!
See also "/build/CMakeFiles/CMakeOutput.log".`,
  ),
  failure(
    'configure',
    `
checking for pkg-config... /usr/bin/pkg-config
checking for libevent >= 2.0... no
|configure: error: libevent not found, required for the event loop`,
  ),
  failure('make', `|make: *** No rule to make target 'libs/core.a', needed by 'all'.  Stop.`),
  failure(
    'rustc',
    `
|error[E0382]: borrow of moved value: \`conn\`
|  --> src/pool.rs:88:14
   |
88 |     drop(conn);
   |          ---- value moved here
error: aborting due to previous error
error: could not compile \`pool\` (lib) due to 1 previous error`,
  ),
  failure(
    'rustc of an old nightly',
    `
   Compiling kernel v0.1.0 (file:///kernel)
|error[E0658]: use of unstable library feature 'asm' (see issue #29722)
|   --> src/arch/io.rs:3:5
error: Could not compile \`kernel\`.
To learn more, run the command again with --verbose.`,
  ),
  failure(
    'cargo resolving',
    `
    Updating crates.io index
|error: failed to select a version for the requirement \`serde = "^9.9"\`
candidate versions found which didn't match: 1.0.219, 1.0.218
location searched: crates.io index
|required by package \`app v0.1.0 (/repo)\``,
  ),
  failure(
    'go build',
    `
# example.com/net/dial
|dial/dial.go:52:9: undefined: timeot
|dial/dial.go:61:2: missing return`,
  ),
  failure(
    'go vet without place',
    `
|dial.go:12:2: cannot find package "github.com/pkg/errors" in any of:
	/usr/local/go/src/github.com/pkg/errors (from $GOROOT)
	/home/ci/gopath/src/github.com/pkg/errors (from $GOPATH)`,
  ),
  failure(
    'swiftc',
    `
CompileSwift normal x86_64 /repo/Sources/Cart.swift
|/repo/Sources/Cart.swift:20:13: error: value of type 'Cart' has no member 'totl'
        cart.totl
        ~~~~ ^~~~
** BUILD FAILED **`,
  ),
  failure(
    'xcodebuild',
    `
|xcodebuild: error: Unable to find a destination matching the provided destination specifier:
|		{ platform:iOS Simulator, OS:13.0, name:iPhone 8 }
	The requested device could not be found because no available devices matched the request.`,
  ),
];
