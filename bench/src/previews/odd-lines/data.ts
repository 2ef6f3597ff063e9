import { hex, word, type OddLine } from './odd-line.js';

const list = (records: readonly string[]): string => `[${records.join(',')}]`;

/** Tables, JSON and other data with a row for each thing. */
export const data: readonly OddLine[] = [
  {
    name: 'kubectl get pods',
    size: 700,
    usual: (i, random) =>
      `${`${word(random)}-${hex(random, 8)}-${i}`.padEnd(30)} 1/1     Running   ${random(3)}          ${random(40)}d`,
    odd: (i) => ({
      text: `${`ledger-7d9c6b5f4-${i}`.padEnd(30)} 0/1     CrashLoopBackOff   ${i}         2d`,
      cause: [`ledger-7d9c6b5f4-${i}`, 'CrashLoopBackOff'],
    }),
    join: (records) => `${'NAME'.padEnd(30)} READY   STATUS    RESTARTS   AGE\n${records.join('\n')}\n`,
  },
  {
    name: 'systemctl list-units',
    size: 600,
    usual: (i, random) =>
      `  ${`${word(random)}-${i}.service`.padEnd(26)} loaded active running Unit ${i} of ${word(random)}`,
    odd: (i) => ({
      text: `● ${`refund-${i}.service`.padEnd(26)} loaded failed failed  Unit ${i} of refunds`,
      cause: [`refund-${i}.service`],
    }),
    join: (records) => `  ${'UNIT'.padEnd(26)} LOAD   ACTIVE SUB     DESCRIPTION\n${records.join('\n')}\n`,
  },
  {
    name: 'CSV of jobs',
    size: 1_500,
    usual: (i, random) => `${i},${word(random)},2026-11-22T09:${10 + (i % 50)}:00Z,ok,${random(900)},`,
    odd: (i) => ({
      text: `${i},ledger,2026-11-22T09:10:00Z,failed,30000,"timeout after 30 s, gave up on shard ${i}"`,
      cause: [`timeout after 30 s, gave up on shard ${i}`],
    }),
    join: (records) => `id,job,started,status,ms,detail\n${records.join('\n')}\n`,
    isWhole: true,
  },
  {
    name: 'CSV with a value of another type',
    size: 1_500,
    usual: (i, random) => `${i},${random(90)}.${random(99)},${random(90)}.${random(99)},${word(random)}`,
    odd: (i) => ({ text: `${i},#REF!,12.5,cart`, cause: [`${i}`, '#REF!'] }),
    join: (records) => `id,latitude,longitude,name\n${records.join('\n')}\n`,
    isWhole: true,
  },
  {
    name: 'psql',
    size: 900,
    usual: (i, random) =>
      ` ${String(i).padStart(5)} | ${word(random).padEnd(10)} | delivered | ${random(900)}`,
    odd: (i) => ({
      text: ` ${String(i).padStart(5)} | refund     | rejected by bank ${i} | 0`,
      cause: [`rejected by bank ${i}`],
    }),
    join: (records) =>
      `    id | queue      | state     | ms\n-------+------------+-----------+-----\n${records.join('\n')}\n(901 rows)\n`,
    isWhole: true,
  },
  {
    name: 'a Markdown table of checks',
    size: 500,
    usual: (i, random) => `| ${word(random)}-${i} | ✅ pass | ${random(90)} ms |`,
    odd: (i) => ({
      text: `| ledger-balance-${i} | ❌ fail | 12 ms |`,
      cause: [`ledger-balance-${i}`, '❌ fail'],
    }),
    join: (records) => `| check | result | time |\n| --- | --- | --- |\n${records.join('\n')}\n`,
  },
  {
    name: 'docker ps -a',
    size: 400,
    usual: (i, random) =>
      `${hex(random, 12)}   shop/${word(random)}:1.${i % 30}    Up ${random(9)} days (healthy)     ${word(random)}-${i}`,
    odd: (i) => ({
      text: `0a1b2c3d4e5f   shop/ledger:1.9    Exited (137) 3 hours ago   ledger-${i}`,
      cause: ['Exited (137)', `ledger-${i}`],
    }),
    join: (records) =>
      `CONTAINER ID   IMAGE              STATUS                 NAMES\n${records.join('\n')}\n`,
  },
  {
    name: 'JSON list of checks',
    size: 900,
    usual: (i, random) =>
      JSON.stringify({ id: i, check: word(random), status: 'ok', took_ms: random(90), error: null }),
    odd: (i) => ({
      text: JSON.stringify({
        id: i,
        check: 'ledger',
        status: 'error',
        took_ms: 30_000,
        error: `shard ${i} is read-only`,
      }),
      cause: [`shard ${i} is read-only`],
    }),
    join: list,
    isWhole: true,
  },
  {
    name: 'JSON response, pretty',
    size: 500,
    usual: (i, random) =>
      JSON.stringify({
        sku: hex(random, 8),
        stock: random(90),
        warehouse: { id: random(9), city: word(random) },
      }),
    odd: (i) => ({
      text: JSON.stringify({
        sku: `lost-${i}`,
        error: { code: 'E_STOCK', message: `warehouse ${i} did not answer` },
      }),
      cause: [`warehouse ${i} did not answer`],
    }),
    join: (records) =>
      JSON.stringify(
        { page: 1, items: records.map((one) => JSON.parse(one) as unknown), next: null },
        null,
        2,
      ),
    isWhole: true,
  },
  {
    name: 'JSON lines of a logger',
    size: 1_400,
    usual: (i, random) =>
      JSON.stringify({
        level: 30,
        time: 1_763_800_000_000 + i,
        pid: 7,
        hostname: 'api-1',
        req: { id: hex(random, 8) },
        msg: `served ${word(random)}`,
      }),
    odd: (i) => ({
      text: JSON.stringify({
        level: 50,
        time: 1_763_800_000_000 + i,
        pid: 7,
        hostname: 'api-1',
        err: {
          type: 'TypeError',
          message: `balance of account ${i} is undefined`,
          stack: 'TypeError\n    at settle (pay.js:12:3)',
        },
        msg: 'request errored',
      }),
      cause: [`balance of account ${i} is undefined`],
    }),
  },
  {
    name: 'JSON lines of exit codes',
    size: 1_100,
    usual: (i, random) => JSON.stringify({ step: `${word(random)}-${i}`, exit_code: 0, seconds: random(90) }),
    odd: (i) => ({
      text: JSON.stringify({ step: `publish-${i}`, exit_code: 3, seconds: 2 }),
      cause: [`publish-${i}`],
    }),
  },
  {
    name: 'JSON by name',
    size: 700,
    usual: (i, random) => `"${word(random)}-${i}": {"state": "ready", "replicas": ${random(5)}}`,
    odd: (i) => ({
      text: `"ledger-db-${i}": {"state": "degraded", "replicas": 0, "reason": "volume ${i} cannot attach"}`,
      cause: [`volume ${i} cannot attach`],
    }),
    join: (records) => `{${records.join(', ')}}`,
    isWhole: true,
  },
  {
    name: 'YAML of a cluster',
    size: 500,
    usual: (i, random) =>
      `- name: ${word(random)}-${i}\n  ready: "True"\n  restarts: ${random(3)}\n  node: node-${random(9)}`,
    odd: (i) => ({
      text: `- name: refund-${i}\n  ready: "False"\n  reason: ImagePullBackOff\n  restarts: 0`,
      cause: ['reason: ImagePullBackOff', `refund-${i}`],
    }),
  },
  {
    name: 'JUnit XML',
    size: 900,
    usual: (i, random) =>
      `  <testcase classname="shop.${word(random)}" name="case ${i}" time="0.${random(999)}"/>`,
    odd: (i) => ({
      text: `  <testcase classname="shop.ledger" name="case ${i}" time="0.3">\n    <failure message="expected 12 got ${i}"/>\n  </testcase>`,
      cause: [`<failure message="expected 12 got ${i}"/>`],
    }),
    join: (records) =>
      `<?xml version="1.0"?>\n<testsuite name="shop">\n${records.join('\n')}\n</testsuite>\n`,
    isWhole: true,
  },
];
