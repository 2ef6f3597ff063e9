import { hex, word, type OddLine } from './odd-line.js';

const two = (n: number): string => String(n).padStart(2, '0');
const clock = (i: number): string =>
  `${two(8 + Math.floor(i / 3_600))}:${two(Math.floor(i / 60) % 60)}:${two(i % 60)}`;

/** Output of programs that say a line for each thing they do. */
export const runs: readonly OddLine[] = [
  {
    name: 'javac -verbose',
    size: 1_400,
    usual: (i, random) =>
      i % 9 === 0
        ? `[wrote build/classes/shop/${word(random)}/Part${i}.class]`
        : `[loading /modules/java.base/java/util/${word(random)}/Type${random(900)}.class]`,
    odd: (i) => ({
      text: `src/shop/Cart.java:${i}: error: cannot find symbol\n        total.roundUp(${i});\n  symbol:   method roundUp(int)`,
      cause: [`src/shop/Cart.java:${i}: error: cannot find symbol`],
    }),
  },
  {
    name: 'webpack assets',
    size: 2_400,
    usual: (i, random) =>
      `  asset ${word(random)}.${hex(random, 8)}.js ${random(900)} KiB [emitted] [immutable] (name: ${word(random)}-${i})`,
    odd: (i) => {
      const text = `ERROR in ./src/cart/total.ts:${i}:17 TS2339: Property 'roundUp' does not exist on type 'Money'.`;
      return { text, cause: [text] };
    },
  },
  {
    name: 'a service log in columns',
    size: 1_500,
    usual: (i, random) =>
      `2026-11-22 ${clock(i)}   INFO    ${`worker-${random(9)}`.padEnd(12)} ${word(random)}-service     finished job ${random(99_999)}`,
    odd: (i) => {
      const text = `2026-11-22 ${clock(i)}   ERROR   worker-3     ledger-service    job ${i} gave up: connection to ledger-db reset by peer`;
      return { text, cause: [`job ${i} gave up: connection to ledger-db reset by peer`] };
    },
  },
  {
    name: 'a web server access log',
    size: 2_000,
    usual: (i, random) =>
      `10.4.${random(255)}.${random(255)} - - [22/Nov/2026:${clock(i)} +0000] "GET /api/${word(random)}/${random(9_000)} HTTP/1.1" ${random(9) ? 200 : 304} ${random(9_000)} "-" "Mozilla/5.0"`,
    odd: (i) => ({
      text: `10.4.7.9 - - [22/Nov/2026:${clock(i)} +0000] "POST /api/refund/${i} HTTP/1.1" 502 157 "-" "Mozilla/5.0"`,
      cause: [`"POST /api/refund/${i} HTTP/1.1" 502 157`],
    }),
  },
  {
    name: 'terraform apply',
    size: 900,
    usual: (i, random) =>
      `aws_${word(random)}.${word(random)}[${i}]: ${i % 2 ? 'Creating...' : `Creation complete after ${random(30)}s [id=${hex(random, 12)}]`}`,
    odd: (i) => ({
      text: `Error: creating S3 Bucket (shop-${i}): BucketAlreadyOwnedByYou`,
      cause: [`creating S3 Bucket (shop-${i}): BucketAlreadyOwnedByYou`],
    }),
  },
  {
    name: 'pytest -v',
    size: 1_200,
    usual: (i, random) =>
      `tests/test_${word(random)}.py::test_${word(random)}_${i} PASSED ${' '.repeat(8)}[ ${Math.floor(i / 12)}%]`,
    odd: (i) => ({
      text: `tests/test_refund.py::test_partial_${i} FAILED         [ 50%]`,
      cause: [`tests/test_refund.py::test_partial_${i} FAILED`],
    }),
  },
  {
    name: 'cargo test',
    size: 1_100,
    usual: (i, random) => `test ${word(random)}::tests::${word(random)}_${i} ... ok`,
    odd: (i) => ({
      text: `test ledger::tests::rounds_${i} ... FAILED`,
      cause: [`ledger::tests::rounds_${i} ... FAILED`],
    }),
  },
  {
    name: 'ansible',
    size: 900,
    usual: (i, random) => `${random(3) ? 'ok' : 'changed'}: [${word(random)}-${i}.example.com]`,
    odd: (i) => ({
      text: `fatal: [db-${i}.example.com]: UNREACHABLE! => {"msg": "ssh: connect to host port 22: No route to host"}`,
      cause: [`fatal: [db-${i}.example.com]: UNREACHABLE!`],
    }),
  },
  {
    name: 'gradle tasks',
    size: 700,
    usual: (i, random) => `> Task :${word(random)}:compile${i} ${random(2) ? 'UP-TO-DATE' : 'NO-SOURCE'}`,
    odd: (i) => ({
      text: `> Task :shop:compileKotlin${i} FAILED`,
      cause: [`> Task :shop:compileKotlin${i} FAILED`],
    }),
  },
  {
    name: 'database migrations',
    size: 700,
    usual: (i, random) => `== ${20_260_000 + i} Add${word(random)}: migrated (0.${two(random(99))}s) ==`,
    odd: (i) => ({
      text: `PG::UndefinedColumn: column orders.total_${i} does not exist`,
      cause: [`column orders.total_${i} does not exist`],
    }),
  },
  {
    name: 'kernel messages',
    size: 1_600,
    usual: (i, random) =>
      `[${String(i).padStart(6)}.${random(999_999)}] eth${random(3)}: link becomes ready, queue ${random(64)}`,
    odd: (i) => ({
      text: `[${String(i).padStart(6)}.104233] Out of memory: Killed process ${4_000 + i} (node) total-vm:9182734kB`,
      cause: [`Killed process ${4_000 + i} (node)`],
    }),
  },
  {
    name: 'ping',
    size: 1_300,
    usual: (i, random) => `64 bytes from 10.4.7.9: icmp_seq=${i} ttl=57 time=${random(40)}.${random(999)} ms`,
    odd: (i) => ({ text: `Request timeout for icmp_seq ${i}`, cause: [`Request timeout for icmp_seq ${i}`] }),
  },
  {
    name: 'strace',
    size: 1_800,
    usual: (i, random) =>
      random(3)
        ? `openat(AT_FDCWD, "/usr/lib/${word(random)}/${i}.so", O_RDONLY|O_CLOEXEC) = ${random(30)}`
        : `read(${random(30)}, "\\177ELF\\2\\1"..., 832) = 832`,
    odd: (i) => ({
      text: `connect(${i % 40}, {sa_family=AF_INET, sin_port=htons(5432)}, 16) = -1 ECONNREFUSED (Connection refused)`,
      cause: [`sin_port=htons(5432)}, 16) = -1 ECONNREFUSED`],
    }),
  },
  {
    name: 'rsync',
    size: 1_500,
    usual: (i, random) => `shop/${word(random)}/${word(random)}-${i}.parquet`,
    odd: (i) => ({
      text: `rsync: [sender] send_files failed to open "/data/shop/part-${i}": Permission denied (13)`,
      cause: [`failed to open "/data/shop/part-${i}": Permission denied (13)`],
    }),
  },
  {
    name: 'a backup, with words of its own',
    size: 1_200,
    usual: (i, random) => `object ${i} of bucket ${word(random)} verified in ${random(90)} ms`,
    odd: (i) => ({
      text: `object ${i} of bucket ledger differs from its copy`,
      cause: [`object ${i} of bucket ledger differs`],
    }),
  },
  {
    name: 'sensors, without any word of failure',
    size: 1_200,
    usual: (i, random) =>
      `sensor ${random(60)} of hall ${random(4)} reads ${random(40)}.${random(10)} degrees`,
    odd: (i) => ({
      text: `sensor 31 of hall ${i} went silent`,
      cause: [`sensor 31 of hall ${i} went silent`],
    }),
  },
  {
    name: 'a go service, logfmt',
    size: 1_500,
    usual: (i, random) =>
      `ts=2026-11-22T${clock(i)}.120Z level=info caller=${word(random)}.go:${random(300)} msg="served" path=/v1/${word(random)} took=${random(90)}ms`,
    odd: (i) => ({
      text: `ts=2026-11-22T${clock(i)}.120Z level=error caller=pay.go:88 msg="charge ${i} declined twice" err="card_velocity"`,
      cause: [`charge ${i} declined twice`],
    }),
  },
  {
    name: 'klog of a controller',
    size: 1_400,
    usual: (i, random) =>
      `I1122 ${clock(i)}.${100_000 + random(800_000)}       1 ${word(random)}_controller.go:${random(900)}] Reconciled ${word(random)}/${word(random)}-${random(999)}`,
    odd: (i) => ({
      text: `E1122 ${clock(i)}.104233       1 leader.go:330] Lost lease shop-${i}: etcd leader changed`,
      cause: [`Lost lease shop-${i}: etcd leader changed`],
    }),
  },
];
