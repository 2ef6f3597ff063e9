import { failure, type FailureSample } from './sample.js';

export const compiledTestFailures: readonly FailureSample[] = [
  failure(
    'go, got and want in a sentence',
    `
=== RUN   TestCloseYear
|    ledger_test.go:118: balance after 3 postings: got -120, want 0
--- FAIL: TestCloseYear (0.00s)`,
  ),
  failure(
    'a reader of settings',
    `
starting
|settings: field pool.max_idle in /etc/shop/api.toml: expected u32, found "ten" at line 41
main process exited, code=exited, status=78/CONFIG`,
  ),
  failure(
    'cargo test',
    `
failures:

---- cache::evicts stdout ----
|thread 'cache::evicts' panicked at src/cache.rs:41:9:
|assertion \`left == right\` failed
|  left: 3
| right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

failures:
    cache::evicts

test result: FAILED. 81 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
error: test failed, to rerun pass '--lib'`,
  ),
  failure(
    'go test',
    `
|--- FAIL: TestDial (0.03s)
|    dial_test.go:52: dial: got "refused", want "ok"
FAIL
FAIL	example.com/net	0.031s
ok  	example.com/net/url	0.012s
FAIL`,
  ),
  failure(
    'go test with a race',
    `
|WARNING: DATA RACE
|Write at 0x00c0001 by goroutine 9:
  example.com/net.(*Pool).put()
      /repo/pool.go:31 +0x4f
--- FAIL: TestPool (0.01s)
    testing.go:853: race detected during execution of test
FAIL`,
  ),
  failure(
    'junit by maven',
    `
-------------------------------------------------------
 T E S T S
-------------------------------------------------------
Running com.example.CartTest
|Tests run: 4, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.2 sec <<< FAILURE! - in com.example.CartTest
|adds(com.example.CartTest)  Time elapsed: 0.01 sec  <<< FAILURE!
|java.lang.AssertionError: expected:<2> but was:<1>
	at org.junit.Assert.fail(Assert.java:88)
	at com.example.CartTest.adds(CartTest.java:31)
Results :
Failed tests:
|  CartTest.adds:31 expected:<2> but was:<1>
Tests run: 91, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE`,
  ),
  failure(
    'junit by gradle',
    `
> Task :test FAILED
|com.example.CartTest > adds FAILED
|    org.opentest4j.AssertionFailedError at CartTest.java:31
91 tests completed, 1 failed
FAILURE: Build failed with an exception.
* What went wrong:
Execution failed for task ':test'.
> There were failing tests. See the report at: file:///repo/build/reports/tests/test/index.html`,
  ),
  failure(
    'scalatest',
    `
[info] CartSpec:
|[info] - should add an item *** FAILED ***
|[info]   1 did not equal 2 (CartSpec.scala:31)
[info] Run completed in 4 seconds.
[info] Tests: succeeded 90, failed 1, canceled 0, ignored 0, pending 0
[info] *** 1 TEST FAILED ***
[error] Failed tests:
[error] 	com.example.CartSpec
[error] (test:test) sbt.TestsFailedException: Tests unsuccessful`,
  ),
  failure(
    'eunit',
    `
Failures:

  1) cart_tests:adds_test/0
|     Failure/Error: ?assertEqual(2, cart:size(C))
|       expected: 2
|            got: 1
     %% /repo/test/cart_tests.erl:14:in \`cart_tests:-adds_test/0-fun-0-/1\``,
  ),
  failure(
    'common test',
    `
|%%% cart_SUITE ==> adds: FAILED
|%%% cart_SUITE ==> {{badmatch,{error,timeout}},
|  [{cart_SUITE,adds,1,[{file,"cart_SUITE.erl"},{line,14}]}]}
Failed 1 tests. Passed 90 tests.`,
  ),
  failure(
    'exunit',
    `
|  1) test adds an item (CartTest)
     test/cart_test.exs:12
|     Assertion with == failed
     code:  assert Cart.size(cart) == 2
|     left:  1
|     right: 2
     stacktrace:
       test/cart_test.exs:14: (test)
Finished in 1.1 seconds
311 tests, 1 failure`,
  ),
  failure(
    'hspec',
    `
Failures:

  test/CartSpec.hs:14:5:
|  1) Cart adds an item
|       expected: 2
|        but got: 1

  To rerun use: --match "/Cart/adds an item/"
311 examples, 1 failure`,
  ),
  failure(
    'xctest',
    `
|/repo/Tests/CartTests.swift:14: error: -[CartTests.CartTests testAdd] : XCTAssertEqual failed: ("1") is not equal to ("2")
Test Case '-[CartTests.CartTests testAdd]' failed (0.004 seconds).
Executed 311 tests, with 1 failure (0 unexpected) in 3.1 (3.2) seconds
** TEST FAILED **`,
  ),
  failure(
    'nunit',
    `
1) Failed : Cart.Tests.CartTest.Adds
|  Expected: 2
|  But was:  1
   at Cart.Tests.CartTest.Adds() in /repo/CartTest.cs:line 14
Overall result: Failed`,
  ),
  failure(
    'pester',
    `
|    [-] Adds an item 41ms (40ms|1ms)
|      Expected 2, but got 1.
      at $cart.Count | Should -Be 2, /repo/Cart.Tests.ps1:14
Tests Passed: 311, Failed: 1, Skipped: 0`,
  ),
  failure(
    'googletest',
    `
[ RUN      ] Cart.Adds
|cart_test.cc:14: Failure
|Expected equality of these values:
|  cart.size()
|    Which is: 1
|  2
[  FAILED  ] Cart.Adds (0 ms)
[  PASSED  ] 310 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Cart.Adds`,
  ),
  failure(
    'ctest',
    `
 41/90 Test #41: cart_adds ......................***Failed    0.04 sec
99% tests passed, 1 tests failed out of 90
The following tests FAILED:
|	 41 - cart_adds (Failed)
Errors while running CTest`,
  ),
  failure(
    'clojure.test',
    `
|FAIL in (adds-test) (cart_test.clj:14)
|expected: (= 2 (size cart))
|  actual: (not (= 2 1))

Ran 311 tests containing 900 assertions.
1 failures, 0 errors.`,
  ),
];
