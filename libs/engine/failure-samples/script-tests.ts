import { failure, type FailureSample } from './sample.js';

export const scriptTestFailures: readonly FailureSample[] = [
  failure(
    'jest',
    `
|  ● cart › adds an item

    expect(received).toBe(expected) // Object.is equality

|    Expected: 2
|    Received: 1

      12 |   add(cart, item);
    > 13 |   expect(cart.size).toBe(2);
         |                     ^
      at Object.<anonymous> (src/cart.test.js:13:21)

Test Suites: 1 failed, 40 passed, 41 total
Tests:       1 failed, 311 passed, 312 total
Ran all test suites.`,
  ),
  failure(
    'jest without a test',
    `
 FAIL  src/cart.test.js
|  ● Test suite failed to run

|    Cannot find module './tax' from 'cart.js'`,
  ),
  failure(
    'vitest',
    `
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

| FAIL  src/cart.test.ts > cart > adds
|AssertionError: expected 1 to be 2 // Object.is equality
 ❯ src/cart.test.ts:9:20
 Test Files  1 failed | 40 passed (41)
      Tests  1 failed | 311 passed (312)`,
  ),
  failure(
    'mocha',
    `
  311 passing (4s)
  1 failing

  1) cart
|       adds an item:
|     AssertionError: expected 1 to equal 2
      at Context.<anonymous> (test/cart.js:14:9)`,
  ),
  failure(
    'mocha with a diff',
    `
  1 failing

|  1) render keeps order:

      AssertionError: expected [ 'a' ] to deeply equal [ 'b' ]
      + expected - actual

|-a
|+b
`,
  ),
  failure(
    'karma',
    `
|HeadlessChrome 90.0.4430 (Linux) cart adds an item FAILED
|	Expected 1 to be 2.
	    at <Jasmine>
HeadlessChrome 90.0.4430 (Linux): Executed 311 of 311 (1 FAILED) (4.1 secs / 3.9 secs)`,
  ),
  failure(
    'tap',
    `
|not ok 412 - parses dates
  ---
|  message: "expected 3, got 4"
  severity: fail
  ...
1..500
# failed 1 of 500 tests`,
  ),
  failure(
    'pytest',
    `
=================================== FAILURES ===================================
__________________________________ test_fold ___________________________________

    def test_fold():
>       assert fold("a") == "b"
|E       AssertionError: assert 'a' == 'b'
E         - b
E         + a

tests/test_fold.py:14: AssertionError
=========================== short test summary info ============================
|FAILED tests/test_fold.py::test_fold - AssertionError: assert 'a' == 'b'
========================= 1 failed, 310 passed in 4.11s ========================`,
  ),
  failure(
    'pytest collecting',
    `
==================================== ERRORS ====================================
|_____________________ ERROR collecting tests/test_cart.py ______________________
ImportError while importing test module '/repo/tests/test_cart.py'.
Hint: make sure your test modules/packages have valid Python names.
|E   ModuleNotFoundError: No module named 'requests'
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!`,
  ),
  failure(
    'unittest',
    `
======================================================================
|FAIL: test_sum (tests.MathTest.test_sum)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests.py", line 9, in test_sum
    self.assertEqual(add(1, 1), 3)
|AssertionError: 2 != 3

----------------------------------------------------------------------
Ran 311 tests in 1.204s

FAILED (failures=1)`,
  ),
  failure(
    'rspec',
    `
Failures:

|  1) Cart adds an item
     Failure/Error: expect(cart.size).to eq(2)

|       expected: 2
|            got: 1

       (compared using ==)
     # ./spec/cart_spec.rb:14:in \`block (2 levels) in <top (required)>'

Finished in 3.1 seconds (files took 1.2 seconds to load)
311 examples, 1 failure

Failed examples:

rspec ./spec/cart_spec.rb:12 # Cart adds an item`,
  ),
  failure(
    'minitest',
    `
  1) Failure:
|CartTest#test_adds [test/cart_test.rb:14]:
|Expected: 2
|  Actual: 1

311 runs, 900 assertions, 1 failures, 0 errors, 0 skips`,
  ),
  failure(
    'phpunit',
    `
There was 1 failure:

|1) CartTest::testAdd
|Failed asserting that 1 matches expected 2.

/repo/tests/CartTest.php:31

FAILURES!
Tests: 311, Assertions: 900, Failures: 1.`,
  ),
  failure(
    'phpt',
    `
=====================================================================
FAILED TEST SUMMARY
---------------------------------------------------------------------
|Bug #4411 (cart loses items) [ext/cart/tests/bug4411.phpt]
=====================================================================`,
  ),
  failure(
    'prove',
    `
t/01-load.t .. ok
|#   Failed test 'adds an item'
#   at t/cart.t line 14.
|#          got: '1'
|#     expected: '2'
# Looks like you failed 1 test of 9.
t/cart.t ..... Dubious, test returned 1 (wstat 256, 0x100)
Failed 1/9 subtests
Result: FAIL`,
  ),
  failure(
    'busted',
    `
●●●●●●●◼●●
9 successes / 1 failure / 0 errors / 0 pending : 0.41 seconds

|Failure → spec/cart_spec.lua @ 14
|cart adds an item
|spec/cart_spec.lua:16: Expected objects to be equal.
Passed in:
(number) 1
Expected:
(number) 2`,
  ),
  failure(
    'testthat',
    `
> test_check("cart")
|1. Failure: cart adds an item (@test-cart.R#14) --------------------------------
|size(cart) not equal to 2.
1/1 mismatches
══ testthat results ════════════════════════
OK: 90 SKIPPED: 0 FAILED: 1
Error: testthat unit tests failed
Execution halted`,
  ),
  failure(
    'vader',
    `
    ( 4/14) [EXECUTE] lists plugins
|    ( 5/14) [EXECUTE] (X) 1 should be equal to 2
      > /repo/test/plug.vader:40
    ( 6/14) [EXECUTE] updates
Success/Total: 13/14 (assertions: 90/91)`,
  ),
];
