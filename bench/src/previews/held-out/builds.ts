import { inserted, list, type HeldOut } from './held-out-output.js';

/** Builds and installations. */
export const builds: readonly HeldOut[] = [
  {
    name: 'bazel build, a missing dependency',
    make: (draw) => {
      const k = draw.n(300) + 600;
      const pkg = draw.word();
      const lines = list(
        k,
        (i) =>
          `\x1b[32m[${(i * 3).toLocaleString('en-US')} / ${(k * 3).toLocaleString('en-US')}]\x1b[0m Compiling ${draw.word()}/${draw.word()}_${draw.word()}.cc; ${draw.n(9)}s linux-sandbox ... (${1 + draw.n(8)} actions running)`,
      );
      const cause = [
        `services/${pkg}/BUILD.bazel:${draw.n(80) + 3}:11: no such target '//libs/${pkg}:${pkg}_proto': target '${pkg}_proto' not declared in package 'libs/${pkg}' defined by libs/${pkg}/BUILD.bazel and referenced by '//services/${pkg}:server'`,
      ] as const;
      return {
        lines: [
          'INFO: Invocation ID: 0b1e3c55-4f1a-4d2c-9d3c-5c7a6a2a1f11',
          'Loading: ',
          'Loading: 0 packages loaded',
          ...inserted(lines, 0.4, '\x1b[31m\x1b[1mERROR: \x1b[0m' + cause[0]),
          `\x1b[31m\x1b[1mERROR: \x1b[0mAnalysis of target '//services/${pkg}:server' failed; build aborted: Analysis failed`,
          'INFO: Elapsed time: 48.221s, Critical Path: 11.02s',
          'INFO: 1412 processes: 3 internal, 1409 linux-sandbox.',
          '\x1b[31m\x1b[1mFAILED:\x1b[0m Build did NOT complete successfully',
        ],
        cause,
        facts: [[`${pkg}_proto`], [`//services/${pkg}:server`]],
      };
    },
  },
  {
    name: 'xcodebuild, a swift concurrency error',
    make: (draw) => {
      const k = 420;
      const lines = list(k, (i) =>
        draw.pick([
          `CompileSwift normal arm64 /Users/ci/Shop/Sources/${draw.Word()}/${draw.Word()}View${i}.swift (in target 'Shop' from project 'Shop')`,
          `    cd /Users/ci/Shop`,
          `    builtin-copy -exclude .DS_Store -resolve-src-symlinks ${draw.Word()}.json`,
          `ProcessInfoPlistFile /Users/ci/Library/Developer/Xcode/DerivedData/Shop-${draw.hex(8)}/Build/Products/Debug/${draw.Word()}.bundle/Info.plist`,
          '    export LANG\\=en_US.US-ASCII',
          `/Users/ci/Shop/Sources/${draw.Word()}/${draw.Word()}.swift:${draw.n(300)}:${draw.n(40)}: warning: variable '${draw.word()}' was never mutated; consider changing to 'let' constant`,
        ]),
      );
      const cause = [
        `/Users/ci/Shop/Sources/Checkout/PaymentActor.swift:88:23: error: actor-isolated property 'pendingRefunds' can not be mutated from a nonisolated context`,
      ] as const;
      return {
        lines: [
          'Command line invocation:',
          '    /Applications/Xcode.app/Contents/Developer/usr/bin/xcodebuild -scheme Shop -destination platform=iOS Simulator,name=iPhone 15 test',
          '',
          ...inserted(
            lines,
            0.6,
            cause[0],
            '        self.pendingRefunds.append(refund)',
            '                      ^',
          ),
          '** TEST FAILED **',
          '',
          '',
          'The following build commands failed:',
          "\tCompileSwift normal arm64 /Users/ci/Shop/Sources/Checkout/PaymentActor.swift (in target 'Shop' from project 'Shop')",
          '(1 failure)',
        ],
        cause,
        facts: [['PaymentActor.swift:88'], ['pendingRefunds'], ['iPhone 15']],
      };
    },
  },
  {
    name: 'gradle android, a manifest merger',
    make: (draw) => {
      const t = list(460, () =>
        `> Task :${draw.pick(['app', 'core', 'feature-' + draw.word()])}:${draw.pick(['compileDebugKotlin', 'mergeDebugResources', 'generateDebugBuildConfig', 'preBuild', 'packageDebugResources', 'checkDebugAarMetadata'])} ${draw.pick(['UP-TO-DATE', 'NO-SOURCE', 'FROM-CACHE', ''])}`.trim(),
      );
      const cause = [
        'Attribute application@allowBackup value=(false) from AndroidManifest.xml:14:9-36',
        'is also present at [com.vendor.analytics:sdk:7.2.0] AndroidManifest.xml:22:18-44 value=(true).',
      ] as const;
      return {
        lines: [
          'Starting a Gradle Daemon, 1 busy Daemon could not be reused, use --status for details',
          '',
          '> Configure project :app',
          "WARNING: The option setting 'android.enableJetifier=true' is deprecated.",
          ...t,
          '',
          '> Task :app:processDebugMainManifest FAILED',
          '/builds/app/src/main/AndroidManifest.xml:14:9-36 Error:',
          '\t' + cause[0],
          '\t' + cause[1],
          '\tSuggestion: add \'tools:replace="android:allowBackup"\' to <application> element at AndroidManifest.xml:9:5-61:19 to override.',
          '',
          'See https://developer.android.com/r/studio-ui/build/manifest-merger for more information about the manifest merger.',
          '',
          '',
          'FAILURE: Build failed with an exception.',
          '',
          '* What went wrong:',
          "Execution failed for task ':app:processDebugMainManifest'.",
          '> Manifest merger failed : Attribute application@allowBackup value=(false) from AndroidManifest.xml:14:9-36',
          '',
          '* Try:',
          '> Run with --stacktrace option to get the stack trace.',
          '> Run with --info or --debug option to get more log output.',
          '',
          'BUILD FAILED in 1m 12s',
          '214 actionable tasks: 31 executed, 183 up-to-date',
        ],
        cause: [
          ...cause,
          '> Manifest merger failed : Attribute application@allowBackup value=(false) from AndroidManifest.xml:14:9-36',
        ],
        facts: [['com.vendor.analytics:sdk:7.2.0'], ['processDebugMainManifest']],
      };
    },
  },
  {
    name: 'yocto bitbake, a fetch that fails',
    make: (draw) => {
      const usual = list(
        640,
        () =>
          `NOTE: recipe ${draw.word()}-${draw.n(9)}.${draw.n(20)}-r0: task do_${draw.pick(['fetch', 'unpack', 'patch', 'configure', 'compile', 'install', 'package'])}: ${draw.pick(['Started', 'Succeeded'])}`,
      );
      const cause = [
        "ERROR: libssh2-1.11.0-r0 do_fetch: Bitbake Fetcher Error: FetchError('Unable to fetch URL from any source.', 'https://mirror.example.org/libssh2-1.11.0.tar.gz')",
      ] as const;
      return {
        lines: [
          'Loading cache: 100% |############################################| Time: 0:00:01',
          'NOTE: Resolving any missing task queue dependencies',
          ...inserted(
            usual,
            0.2,
            'WARNING: libssh2-1.11.0-r0 do_fetch: Failed to fetch URL https://mirror.example.org/libssh2-1.11.0.tar.gz, attempting MIRRORS if available',
            cause[0],
            'ERROR: Logfile of failure stored in: /build/tmp/work/core2-64/libssh2/1.11.0-r0/temp/log.do_fetch.21877',
          ),
          "NOTE: Tasks Summary: Attempted 3121 tasks of which 3099 didn't need to be rerun and 1 failed.",
          'Summary: 1 task failed:',
          '  /build/meta/recipes-support/libssh2/libssh2_1.11.0.bb:do_fetch',
        ],
        cause: [cause[0]],
        facts: [['libssh2'], ['3121']],
      };
    },
  },
  {
    name: 'elm make, a type mismatch',
    make: (draw) => {
      const usual = list(
        330,
        (i) => `Dependencies loaded from local cache: elm/${draw.word()} ${draw.n(4)}.${draw.n(9)}.${i}`,
      );
      const cause = [
        'The 2nd argument to `viewPrice` is not what I expect:',
        'But `viewPrice` needs the 2nd argument to be:',
      ] as const;
      return {
        lines: [
          ...usual,
          'Compiling ...           Success! Compiled 211 modules.',
          '-- TYPE MISMATCH ----------------------------------- src/Page/Checkout.elm',
          '',
          cause[0],
          '',
          '96|             viewPrice model.currency model.total',
          '                                       ^^^^^^^^^^^',
          'The value at .total is a:',
          '',
          '    Maybe Float',
          '',
          cause[1],
          '',
          '    Float',
          '',
          'Hint: Use Maybe.withDefault to handle possible errors. Longer term, it is',
          'usually better to write out the full `case` though!',
          '',
        ],
        cause: [cause[0], '-- TYPE MISMATCH ----------------------------------- src/Page/Checkout.elm'],
        facts: [['Checkout.elm'], ['Maybe Float']],
      };
    },
  },
  {
    name: 'git bisect run',
    make: (draw) => {
      const usual = list(9, (k) => [
        `running './check.sh'`,
        ...list(50, (i) => `ok ${i} - ${draw.word()} ${draw.word()}`),
        `Bisecting: ${Math.floor(400 / 2 ** k)} revisions left to test after this (roughly ${9 - k} steps)`,
        `[${draw.hex(40)}] ${draw.Word()} keeps its ${draw.word()}`,
      ]).flat();
      const cause = ['4f1a2b3c4d5e6f708192a3b4c5d6e7f801234567 is the first bad commit'] as const;
      return {
        lines: [
          ...usual,
          cause[0],
          'commit 4f1a2b3c4d5e6f708192a3b4c5d6e7f801234567',
          'Author: Dev <dev@shop.test>',
          'Date:   Tue Oct 6 11:02:11 2026 +0200',
          '',
          '    Round the tax before the sum',
          '',
          ' src/tax.ts | 4 ++--',
          ' 1 file changed, 2 insertions(+), 2 deletions(-)',
          'bisect found first bad commit',
        ],
        cause: [cause[0], '    Round the tax before the sum'],
        facts: [['4f1a2b3c'], ['src/tax.ts']],
      };
    },
  },
  {
    name: 'pip install with a resolver conflict',
    make: (draw) => {
      const usual = list(320, (i) => [
        `Collecting ${draw.word()}${i}<${draw.n(9)}.0`,
        `  Downloading ${draw.word()}${i}-${draw.n(9)}.${draw.n(9)}-py3-none-any.whl (${draw.n(900)} kB)`,
        `     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ${draw.n(900)}.0/${draw.n(900)}.0 kB ${draw.n(90)}.1 MB/s eta 0:00:00`,
      ]).flat();
      const cause = ['The conflict is caused by:', '    shop-core 2.1.0 depends on protobuf<4.0'] as const;
      return {
        lines: [
          ...usual,
          'INFO: pip is looking at multiple versions of grpcio-tools to determine which version is compatible with other requirements. This could take a while.',
          'ERROR: Cannot install grpcio-tools==1.62.0 and shop-core==2.1.0 because these package versions have conflicting dependencies.',
          '',
          cause[0],
          cause[1],
          '    grpcio-tools 1.62.0 depends on protobuf<5.0dev and >=4.21.6',
          '',
          'To fix this you could try to:',
          "1. loosen the range of package versions you've specified",
          'ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/',
        ],
        cause: [
          'ERROR: Cannot install grpcio-tools==1.62.0 and shop-core==2.1.0 because these package versions have conflicting dependencies.',
          cause[1],
        ],
        facts: [['grpcio-tools'], ['protobuf<4.0']],
      };
    },
  },
];
