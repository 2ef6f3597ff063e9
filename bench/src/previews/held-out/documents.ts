import { clock, inserted, iso, list, type HeldOut } from './held-out-output.js';

/** Data, documents and other languages. */
export const documents: readonly HeldOut[] = [
  {
    name: 'graphql response with partial errors',
    make: (draw) => {
      const o = {
        data: {
          orders: {
            edges: list(160, (i) => ({
              node: {
                id: `T3JkZXI6${i}`,
                total: draw.n(900),
                customer: i === 97 ? null : { name: draw.Word(), email: `${draw.word()}@example.org` },
              },
            })),
          },
        },
        errors: [
          {
            message: 'Cannot return null for non-nullable field Customer.email.',
            locations: [{ line: 7, column: 11 }],
            path: ['orders', 'edges', 97, 'node', 'customer', 'email'],
            extensions: { code: 'INTERNAL_SERVER_ERROR' },
          },
        ],
        extensions: { cost: { actual: 1281 } },
      };
      return {
        text: JSON.stringify(o),
        cause: ['Cannot return null for non-nullable field Customer.email.'],
        facts: [['INTERNAL_SERVER_ERROR'], ['160']],
        isJson: true,
        isWhole: true,
      };
    },
  },
  {
    name: 'elasticsearch bulk answer',
    make: () => {
      const o = {
        took: 311,
        errors: true,
        items: list(500, (i) => ({
          index: {
            _index: 'orders',
            _id: String(10000 + i),
            ...(i === 377
              ? {
                  status: 400,
                  error: {
                    type: 'mapper_parsing_exception',
                    reason: "failed to parse field [placed_at] of type [date] in document with id '10377'",
                    caused_by: {
                      type: 'illegal_argument_exception',
                      reason:
                        'failed to parse date field [14.10.2026] with format [strict_date_optional_time]',
                    },
                  },
                }
              : {
                  _version: 1,
                  result: 'created',
                  _shards: { total: 2, successful: 2, failed: 0 },
                  _seq_no: i,
                  _primary_term: 1,
                  status: 201,
                }),
          },
        })),
      };
      return {
        text: JSON.stringify(o),
        cause: [
          "failed to parse field [placed_at] of type [date] in document with id '10377'",
          'failed to parse date field [14.10.2026]',
        ],
        facts: [['mapper_parsing_exception'], ['500']],
        isJson: true,
        isWhole: true,
      };
    },
  },
  {
    name: 'sarif report',
    make: (draw) => {
      const res = (lvl: string, id: string, txt: string, uri: string, line: number) => ({
        ruleId: id,
        level: lvl,
        message: { text: txt },
        locations: [
          { physicalLocation: { artifactLocation: { uri }, region: { startLine: line, startColumn: 5 } } },
        ],
      });
      const o = {
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'CodeQL', version: '2.16.1', rules: [] } },
            results: [
              ...list(220, (i) =>
                res(
                  'note',
                  'js/unused-local-variable',
                  `Unused variable ${draw.word()}.`,
                  `src/${draw.word()}/${draw.word()}${i}.ts`,
                  draw.n(300),
                ),
              ),
            ],
          },
        ],
      };
      o.runs[0]!.results.splice(
        133,
        0,
        res(
          'error',
          'js/sql-injection',
          'This query string depends on a user-provided value.',
          'src/api/search.ts',
          88,
        ),
      );
      return {
        text: JSON.stringify(o, null, 1),
        cause: ['This query string depends on a user-provided value.', 'js/sql-injection'],
        facts: [['src/api/search.ts'], ['88'], ['CodeQL']],
        isJson: true,
        isWhole: true,
      };
    },
  },
  {
    name: 'csv of sensors with one shifted row',
    make: (draw) => {
      const usual = list(
        1200,
        (i) =>
          `${iso(i, 60000)},sensor-${draw.n(30)},${draw.f(18, 24, 1)},${draw.f(30, 60, 1)},${draw.f(990, 1020, 1)}`,
      );
      const cause = ['2026-10-14T19:11:11.000Z,sensor-12,"21,4",48.1,1003.9,'] as const;
      return {
        lines: ['time,sensor,temperature,humidity,pressure', ...inserted(usual, 0.6, cause[0])],
        cause: ['sensor-12,"21,4",48.1'],
        facts: [['temperature'], ['1,201', '1201']],
        isWhole: true,
      };
    },
  },
  {
    name: 'postgres explain analyze, a bad estimate',
    make: (draw) => {
      const node = (d: number, i: number) =>
        `${' '.repeat(d)}->  ${draw.pick(['Index Scan using', 'Index Only Scan using'])} ${draw.word()}_${i}_pkey on ${draw.word()}_${i}  (cost=0.29..8.30 rows=1 width=${draw.n(90)}) (actual time=0.0${draw.n(9)}..0.0${draw.n(9)} rows=1 loops=1)`;
      const usual = list(160, (i) => [
        node(6 + (i % 5) * 2, i),
        `${' '.repeat(10 + (i % 5) * 2)}Index Cond: (id = ${draw.n(9999)})`,
      ]).flat();
      const cause = [
        '              ->  Seq Scan on ledger_entries  (cost=0.00..411822.10 rows=12 width=88) (actual time=0.021..18122.411 rows=9811204 loops=1)',
        '                    Rows Removed by Filter: 71882001',
      ] as const;
      return {
        lines: [
          '                                   QUERY PLAN',
          '---------------------------------------------------------------------------------',
          'Append  (cost=0.29..512000.11 rows=331 width=90) (actual time=0.03..18311.20 rows=9811364 loops=1)',
          ...inserted(usual, 0.55, ...cause),
          'Planning Time: 4.112 ms',
          'Execution Time: 18333.901 ms',
          '(331 rows)',
        ],
        cause,
        facts: [['18333.901 ms'], ['ledger_entries'], ['9811204']],
      };
    },
  },
  {
    name: 'mysql vertical output of slave status',
    make: (draw) => {
      const usual = list(24, (k) => [
        `*************************** ${k + 1}. row ***************************`,
        '               Slave_IO_State: Waiting for source to send event',
        `                  Master_Host: db-${k}`,
        `              Master_Log_File: binlog.00${1000 + draw.n(999)}`,
        `          Read_Master_Log_Pos: ${draw.n(99999999)}`,
        `             Slave_IO_Running: Yes`,
        `            Slave_SQL_Running: ${k === 15 ? 'No' : 'Yes'}`,
        `                   Last_Errno: ${k === 15 ? 1062 : 0}`,
        `                   Last_Error: ${k === 15 ? "Coordinator stopped because there were error(s) in the worker(s). Could not execute Write_rows event on table shop.refund; Duplicate entry '118221' for key 'PRIMARY', Error_code: 1062" : ''}`,
        `                 Skip_Counter: 0`,
        `        Seconds_Behind_Master: ${k === 15 ? 'NULL' : draw.n(3)}`,
        `               Last_SQL_Errno: ${k === 15 ? 1062 : 0}`,
        `             Master_Server_Id: ${k}`,
      ]).flat();
      return {
        lines: usual,
        cause: [
          "Could not execute Write_rows event on table shop.refund; Duplicate entry '118221' for key 'PRIMARY'",
          '            Slave_SQL_Running: No',
        ],
        facts: [['1062'], ["'118221'"]],
      };
    },
  },
  {
    name: 'german backup script',
    make: (draw) => {
      const usual = list(
        420,
        (i) =>
          `${clock(i)} Sichere /srv/daten/${draw.word()}/${i}.dat … ${draw.n(900)} KB in 0,${draw.n(9)} s`,
      );
      const cause = [
        '07:09:41 Prüfsumme von /srv/daten/kasse/311.dat stimmt nicht überein, Datei übersprungen',
      ] as const;
      return {
        lines: inserted(usual, 0.7, cause[0]),
        cause: ['Prüfsumme von /srv/daten/kasse/311.dat stimmt nicht überein'],
      };
    },
  },
  {
    name: 'japanese test log',
    make: (draw) => {
      const usual = list(
        420,
        (i) =>
          `${clock(i)} 情報 テスト${i}「${draw.word()} の一覧を表示する」に成功しました (${draw.n(90)}ms)`,
      );
      const cause = [
        '07:07:31 異常 テスト「返金は一度だけ記帳される」に失敗しました: 期待値 1、実際 2',
      ] as const;
      return {
        lines: inserted(usual, 0.58, cause[0]),
        cause: ['テスト「返金は一度だけ記帳される」に失敗しました: 期待値 1、実際 2'],
      };
    },
  },
  {
    name: 'training log of a model, a loss that explodes',
    make: (draw) => {
      const usual = list(
        700,
        (i) =>
          `step ${i * 10} | loss ${(3.2 * Math.exp(-i / 300) + draw.n(9) / 100).toFixed(4)} | lr 3.0e-04 | grad_norm ${draw.f(0.2, 0.9, 3)} | ${draw.n(9) + 41}k tok/s`,
      );
      const cause = ['step 4410 | loss inf | lr 3.0e-04 | grad_norm nan | 44k tok/s'] as const;
      return { lines: inserted(usual, 0.63, cause[0]), cause };
    },
  },
];
