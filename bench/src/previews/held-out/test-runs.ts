import { inserted, list, type HeldOut } from './held-out-output.js';

/** Runs of tests, loads and coverage. */
export const testRuns: readonly HeldOut[] = [
  {
    name: 'playwright, a locator that times out',
    make: (draw) => {
      const k = 410;
      const usual = list(
        k,
        (i) =>
          `  ✓  ${String(i + 1).padStart(3)} [chromium] › tests/${draw.word()}.spec.ts:${draw.n(200)}:5 › ${draw.word()} › shows ${draw.word()} ${i} (${draw.f(0.3, 4, 1)}s)`,
      );
      const cause = [
        '    TimeoutError: locator.click: Timeout 30000ms exceeded.',
        "      - waiting for getByRole('button', { name: 'Refund' })",
      ] as const;
      return {
        lines: [
          `Running ${k + 1} tests using 4 workers`,
          '',
          ...inserted(
            usual,
            0.5,
            '  ✘  206 [chromium] › tests/refund.spec.ts:88:5 › refund › returns money (30.1s)',
          ),
          '',
          '',
          '  1) [chromium] › tests/refund.spec.ts:88:5 › refund › returns money ───────────────────────────────',
          '',
          cause[0],
          '    Call log:',
          cause[1],
          '      -   locator resolved to <button disabled>Refund</button>',
          '      - attempting click action',
          '      -   waiting for element to be visible, enabled and stable',
          '',
          '      91 |   await page.goto(`/orders/${id}`);',
          "    > 92 |   await page.getByRole('button', { name: 'Refund' }).click();",
          '         |                                                       ^',
          '',
          '        at /repo/tests/refund.spec.ts:92:55',
          '',
          '    attachment #1: trace (application/zip) ─────────────────────────────────────────────────────────',
          '    test-results/refund-chromium/trace.zip',
          '',
          '  1 failed',
          '    [chromium] › tests/refund.spec.ts:88:5 › refund › returns money ────────────────────────────────',
          `  ${k} passed (3.1m)`,
        ],
        cause: [...cause, '      -   locator resolved to <button disabled>Refund</button>'],
        facts: [['refund.spec.ts:92', 'refund.spec.ts:88'], ['1 failed'], [`${k} passed`]],
      };
    },
  },
  {
    name: 'robot framework console',
    make: (draw) => {
      const usual = list(
        330,
        (i) => `${(draw.Word() + ' Keeps ' + draw.Word() + ' ' + i).padEnd(70)}| PASS |`,
      ).flatMap((x) => [x, '------------------------------------------------------------------------------']);
      const cause = ["Element 'id:pay-now' not visible after 10 seconds."] as const;
      return {
        lines: [
          '==============================================================================',
          'Shop Acceptance',
          '==============================================================================',
          ...inserted(
            usual,
            0.48,
            `${'Guest Pays By Invoice'.padEnd(70)}| FAIL |`,
            cause[0],
            '------------------------------------------------------------------------------',
          ),
          'Shop Acceptance                                                       | FAIL |',
          '331 tests, 330 passed, 1 failed',
          '==============================================================================',
          'Output:  /work/output.xml',
          'Log:     /work/log.html',
        ],
        cause: [...cause, 'Guest Pays By Invoice'],
        facts: [['Guest Pays By Invoice'], ['331 tests'], ['1 failed']],
      };
    },
  },
  {
    name: 'phpunit in testdox',
    make: (draw) => {
      const usual = list(400, (i) =>
        i % 9 === 0
          ? `${draw.Word()} ${i} (Tests\\Unit\\${draw.Word()})`
          : ` ✔ Keeps ${draw.word()} ${i}  ${draw.n(9)} ms`,
      );
      const cause = ['   │ Failed asserting that two strings are identical.'] as const;
      return {
        lines: [
          'PHPUnit 10.5.9 by Sebastian Bergmann and contributors.',
          '',
          'Runtime:       PHP 8.2.15',
          'Configuration: /app/phpunit.xml',
          '',
          ...inserted(
            usual,
            0.6,
            ' ✘ Formats iban with blanks  2 ms',
            '   │',
            cause[0],
            '   │ ┊ ---·Expected',
            '   │ ┊ +++·Actual',
            '   │ ┊ @@ @@',
            "   │ ┊ -'DE89 3704 0044 0532 0130 00'",
            "   │ ┊ +'DE89370400440532013000'",
            '   │',
            '   │ /app/tests/Unit/IbanTest.php:29',
            '   │',
          ),
          'Time: 00:01.214, Memory: 30.00 MB',
          '',
          'FAILURES!',
          'Tests: 360, Assertions: 811, Failures: 1.',
        ],
        cause: [cause[0], ' ✘ Formats iban with blanks  2 ms'],
        facts: [['IbanTest.php:29'], ['Failures: 1'], ['811']],
      };
    },
  },
  {
    name: 'exunit with a captured log',
    make: (draw) => {
      const usual = list(
        520,
        (i) => `  * test keeps ${draw.word()} ${i} (${draw.f(0.1, 30, 1)}ms) [L#${draw.n(300)}]`,
      );
      const cause = [
        '     Assertion with == failed',
        '     left:  {:error, :insufficient_stock}',
        '     right: {:ok, 3}',
      ] as const;
      return {
        lines: [
          'Compiling 41 files (.ex)',
          'Generated shop app',
          'Running ExUnit with seed: 0, max_cases: 8',
          '',
          'Shop.StockTest [test/shop/stock_test.exs]',
          ...inserted(
            usual,
            0.61,
            '  * test reserves what was released (4.1ms) [L#88]',
            '',
            '  1) test reserves what was released (Shop.StockTest)',
            '     test/shop/stock_test.exs:88',
            cause[0],
            '     code:  assert Stock.reserve(sku, 3) == {:ok, 3}',
            cause[1],
            cause[2],
            '     stacktrace:',
            '       test/shop/stock_test.exs:94: (test)',
            '',
            '     The following output was logged:',
            '     12:00:01.113 [debug] QUERY OK source="stock" db=0.4ms',
            '',
          ),
          '',
          'Finished in 3.3 seconds (0.9s async, 2.4s sync)',
          '521 tests, 1 failure',
        ],
        cause,
        facts: [['stock_test.exs:88', 'stock_test.exs:94'], ['521 tests']],
      };
    },
  },
  {
    name: 'flutter test, a pixel overflow',
    make: (draw) => {
      const usual = list(
        360,
        (i) =>
          `00:${String(i % 60).padStart(2, '0')} +${i}: /app/test/${draw.word()}_test.dart: ${draw.word()} shows ${draw.word()}`,
      );
      const cause = ['A RenderFlex overflowed by 42 pixels on the right.'] as const;
      return {
        lines: [
          ...inserted(
            usual,
            0.55,
            '══╡ EXCEPTION CAUGHT BY RENDERING LIBRARY ╞═════════════════════════════════════════════════════════',
            'The following assertion was thrown during layout:',
            cause[0],
            '',
            'The relevant error-causing widget was:',
            '  Row',
            '  Row:file:///app/lib/price_row.dart:31:12',
            '',
            'The specific RenderFlex in question is: RenderFlex#a1b2c relayoutBoundary=up2 OVERFLOWING:',
            '  creator: Row ← Padding ← PriceRow ← MediaQuery',
            '════════════════════════════════════════════════════════════════════════════════════════════════════',
            '00:33 +198 -1: /app/test/price_row_test.dart: price row fits a small phone [E]',
            '  Test failed. See exception logs above.',
          ),
          '00:59 +359 -1: Some tests failed.',
        ],
        cause: [...cause],
        facts: [['price_row.dart:31'], ['+359 -1']],
      };
    },
  },
  {
    name: 'teamcity service messages',
    make: (draw) => {
      const usual = list(420, (i) => [
        `##teamcity[testStarted name='${draw.Word()}Test.keeps${draw.Word()}${i}' flowId='${draw.hex(6)}']`,
        `##teamcity[testFinished name='${draw.Word()}Test.keeps${draw.Word()}${i}' duration='${draw.n(300)}' flowId='${draw.hex(6)}']`,
      ]).flat();
      const cause = [
        "##teamcity[testFailed name='VatTest.reverseChargeForGermany' message='expected:<|[0|].00> but was:<|[19|].00>' details='org.junit.ComparisonFailure at VatTest.java:61|n' flowId='a1b2c3']",
      ] as const;
      return {
        lines: inserted(usual, 0.51, cause[0]),
        cause: [
          "##teamcity[testFailed name='VatTest.reverseChargeForGermany' message='expected:<|[0|].00> but was:<|[19|].00>'",
        ],
        facts: [['VatTest.java:61']],
      };
    },
  },
  {
    name: 'k6 load test summary',
    make: (draw) => {
      const usual = list(
        420,
        (i) =>
          `running (${Math.floor(i / 60)}m${String(i % 60).padStart(2, '0')}.0s), ${50 + draw.n(9)}/60 VUs, ${i * 41} complete and 0 interrupted iterations\ndefault   [ ${String(Math.floor(i / 4.2)).padStart(3)}% ] ${50 + draw.n(9)}/60 VUs  ${Math.floor(i / 60)}m${String(i % 60).padStart(2, '0')}.0s/7m00.0s`,
      ).flatMap((x) => x.split('\n'));
      const cause = [
        '   ✗ http_req_duration..............: avg=812.31ms min=12.11ms med=401.2ms max=10.01s p(90)=1.9s p(95)=2.41s',
      ] as const;
      return {
        lines: [
          '',
          '          /\\      |‾‾| /‾‾/   /‾‾/   ',
          '     /\\  /  \\     |  |/  /   /  /    ',
          '     execution: local',
          '        script: checkout.js',
          '',
          ...usual,
          '',
          '     ✓ status is 200',
          '     ✗ has an order id',
          '      ↳  97% — ✓ 16710 / ✗ 511',
          '',
          '     checks.........................: 98.51% ✓ 33931      ✗ 511  ',
          cause[0],
          '     http_req_failed................: 0.00%  ✓ 0          ✗ 17221',
          '     vus............................: 60     min=50       max=60',
          '',
          'time="2026-10-14T07:10:11Z" level=error msg="thresholds on metrics \'http_req_duration\' have been crossed"',
        ],
        cause: [
          ...cause,
          '     ✗ has an order id',
          "thresholds on metrics 'http_req_duration' have been crossed",
        ],
        facts: [['2.41s'], ['511'], ['checkout.js']],
      };
    },
  },
  {
    name: 'coverage.py table with a gate',
    make: (draw) => {
      const usual = list(420, (i) => {
        const s = 20 + draw.n(300),
          m = draw.n(4);
        return `${`src/shop/${draw.word()}/${draw.word()}_${i}.py`.padEnd(44)}${String(s).padStart(6)}${String(m).padStart(7)}${String(Math.round((100 * (s - m)) / s) + '%').padStart(7)}${m ? '   ' + draw.n(90) + '-' + (90 + draw.n(9)) : ''}`;
      });
      const cause = ['src/shop/refund/reversal.py                     188    171     9%   14-201'] as const;
      return {
        lines: [
          'Name                                         Stmts   Miss  Cover   Missing',
          '-----------------------------------------------------------------------',
          ...inserted(usual, 0.6, cause[0]),
          '-----------------------------------------------------------------------',
          'TOTAL                                        61402   1188    98%',
          'Coverage failure: total of 98 is less than fail-under=99',
        ],
        cause: [cause[0]],
        facts: [['Coverage failure: total of 98 is less than fail-under=99'], ['61402'], ['9%']],
      };
    },
  },
];
