/** What builds say while nothing is wrong. */
export const chatter = (n: number): string[] =>
  Array.from(
    { length: n },
    (_, i) =>
      [
        `[${i}/${n}] Compiling module_${(i * 7919) % 1013}`,
        `ok ${i} - handles case ${(i * 31) % 977}`,
        `Downloading https://example.com/packages/p${i}.tgz`,
        `  CC       src/unit_${i}.o`,
        `2026-11-21T04:${String(i % 60).padStart(2, '0')}:00Z INFO worker ${i % 8} took a job`,
      ][i % 5]!,
  );

/** A failure as each tool tells it; the cause is the line or lines that must be shown. */
export const families: [tool: string, lines: string[], cause: string[]][] = [
  [
    'gcc',
    [
      "src/net.c:120:9: error: 'timeot' undeclared (first use in this function)",
      '  120 |   int t = timeot;',
      '      |           ^~~~~~',
    ],
    ["src/net.c:120:9: error: 'timeot' undeclared"],
  ],
  [
    'a linker',
    [
      "/usr/bin/ld: main.o: in function `main':",
      "main.c:(.text+0x1f): undefined reference to `flush_all'",
      'collect2: error: ld returned 1 exit status',
    ],
    ["undefined reference to `flush_all'"],
  ],
  [
    'tsc',
    ["src/a.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'."],
    ['src/a.ts(14,7): error TS2322'],
  ],
  [
    'eslint',
    [
      '/repo/src/a.js',
      "  12:5  error  'x' is assigned a value but never used  no-unused-vars",
      '',
      '✖ 1 problem (1 error, 0 warnings)',
    ],
    ["12:5  error  'x' is assigned"],
  ],
  [
    'rustc',
    ['error[E0382]: borrow of moved value: `conn`', '  --> src/pool.rs:88:14'],
    ['error[E0382]: borrow of moved value: `conn`', '--> src/pool.rs:88:14'],
  ],
  [
    'cargo test',
    [
      '---- cache::evicts stdout ----',
      "thread 'cache::evicts' panicked at src/cache.rs:41:9:",
      'assertion `left == right` failed',
      '  left: 3',
      ' right: 4',
    ],
    ['panicked at src/cache.rs:41:9', 'left: 3', 'right: 4'],
  ],
  [
    'go test',
    [
      '--- FAIL: TestDial (0.03s)',
      '    dial_test.go:52: dial: got "refused", want "ok"',
      'FAIL\texample.com/net\t0.031s',
    ],
    ['--- FAIL: TestDial', 'dial_test.go:52'],
  ],
  [
    'javac by maven',
    ['[ERROR] /repo/src/main/java/App.java:[17,24] cannot find symbol', '[ERROR]   symbol:   class Widget'],
    ['App.java:[17,24] cannot find symbol'],
  ],
  [
    'gradle',
    [
      '> Task :compileJava FAILED',
      'FAILURE: Build failed with an exception.',
      '* What went wrong:',
      "Execution failed for task ':compileJava'.",
      '> Could not resolve com.example:lib:4.2.',
    ],
    ['Could not resolve com.example:lib:4.2.'],
  ],
  [
    'jest',
    [
      '  ● cart › adds an item',
      '',
      '    expect(received).toBe(expected)',
      '',
      '    Expected: 2',
      '    Received: 1',
    ],
    ['● cart › adds an item', 'Expected: 2', 'Received: 1'],
  ],
  [
    'vitest',
    [
      ' FAIL  src/cart.test.ts > cart > adds',
      'AssertionError: expected 1 to be 2 // Object.is equality',
      ' ❯ src/cart.test.ts:9:20',
    ],
    ['FAIL  src/cart.test.ts > cart > adds', 'AssertionError: expected 1 to be 2'],
  ],
  [
    'mocha',
    ['  1 failing', '', '  1) cart', '       adds an item:', '     AssertionError: expected 1 to equal 2'],
    ['adds an item:', 'AssertionError: expected 1 to equal 2'],
  ],
  [
    'tap',
    ['not ok 412 - parses dates', '  ---', '  message: "expected 3, got 4"'],
    ['not ok 412 - parses dates', 'expected 3, got 4'],
  ],
  [
    'pytest',
    [
      '____ test_fold ____',
      '>       assert fold("a") == "b"',
      "E       AssertionError: assert 'a' == 'b'",
      'tests/test_fold.py:14: AssertionError',
    ],
    ["E       AssertionError: assert 'a' == 'b'"],
  ],
  [
    'unittest',
    [
      'FAIL: test_sum (tests.MathTest.test_sum)',
      '----------------------------------------------------------------------',
      'Traceback (most recent call last):',
      '  File "/repo/tests.py", line 9, in test_sum',
      '    self.assertEqual(add(1, 1), 3)',
      'AssertionError: 2 != 3',
    ],
    ['FAIL: test_sum', 'AssertionError: 2 != 3'],
  ],
  [
    'rspec',
    [
      'Failures:',
      '',
      '  1) Cart adds an item',
      '     Failure/Error: expect(cart.size).to eq(2)',
      '',
      '       expected: 2',
      '            got: 1',
    ],
    ['1) Cart adds an item', 'expected: 2', 'got: 1'],
  ],
  [
    'phpunit',
    ['There was 1 failure:', '', '1) CartTest::testAdd', 'Failed asserting that 1 matches expected 2.'],
    ['1) CartTest::testAdd', 'Failed asserting that 1 matches expected 2.'],
  ],
  [
    'npm',
    ['npm error code ETARGET', 'npm error notarget No matching version found for left-pad@^9.9.9.'],
    ['No matching version found for left-pad@^9.9.9.'],
  ],
  [
    'webpack',
    ['ERROR in ./src/app.js 3:0-30', "Module not found: Error: Can't resolve './mising' in '/repo/src'"],
    ["Can't resolve './mising'"],
  ],
  [
    'a shell',
    ['./build.sh: line 31: protoc: command not found', 'make: *** [Makefile:12: proto] Error 127'],
    ['line 31: protoc: command not found'],
  ],
  [
    'docker',
    ['ERROR: failed to solve: process "/bin/sh -c ./configure" did not complete successfully: exit code: 2'],
    ['failed to solve'],
  ],
  [
    'elixir',
    ['** (KeyError) key :port not found in: %{host: "x"}', '    lib/app.ex:12: App.start/2'],
    ['** (KeyError) key :port not found'],
  ],
  [
    'ghc',
    ['src/Main.hs:14:9: error:', "    • Couldn't match expected type ‘Int’ with actual type ‘Text’"],
    ['src/Main.hs:14:9: error:', "Couldn't match expected type"],
  ],
  [
    'dotnet',
    [
      "Program.cs(8,13): error CS0103: The name 'Foo' does not exist in the current context [/repo/app.csproj]",
    ],
    ['error CS0103'],
  ],
  [
    'terraform',
    ['│ Error: Unsupported argument', '│', '│   on main.tf line 12, in resource "aws_instance" "web":'],
    ['Error: Unsupported argument', 'on main.tf line 12'],
  ],
  [
    'a crash',
    ['/repo/run.sh: line 4:  8812 Segmentation fault      (core dumped) ./server'],
    ['Segmentation fault'],
  ],
  [
    'memory',
    ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
    ['heap out of memory'],
  ],
  [
    'a full disk',
    ['tar: out/app.tar: Wrote only 4096 of 10240 bytes', 'tar: write error: No space left on device'],
    ['No space left on device'],
  ],
  [
    'git',
    [
      'CONFLICT (content): Merge conflict in src/pool.ts',
      'Automatic merge failed; fix conflicts and then commit the result.',
    ],
    ['Merge conflict in src/pool.ts'],
  ],
];
