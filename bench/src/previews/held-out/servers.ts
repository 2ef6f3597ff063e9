import { clock, inserted, iso, list, type HeldOut } from './held-out-output.js';

/** Servers and systems. */
export const servers: readonly HeldOut[] = [
  {
    name: 'haproxy log, a backend without servers',
    make: (draw) => {
      const usual = list(
        700,
        (i) =>
          `Oct 14 07:03:${String(i % 60).padStart(2, '0')} lb1 haproxy[812]: ${draw.ip()}:${30000 + draw.n(9999)} [14/Oct/2026:07:03:11.${100 + draw.n(899)}] https~ shop/api${1 + draw.n(4)} 0/0/${draw.n(9)}/${draw.n(90)}/${draw.n(99)} 200 ${draw.n(9999)} - - ---- ${draw.n(90)}/${draw.n(90)}/${draw.n(9)}/${draw.n(9)}/0 0/0 "GET /${draw.word()} HTTP/2.0"`,
      );
      const cause = [
        'Oct 14 07:03:41 lb1 haproxy[812]: Server shop/api3 is DOWN, reason: Layer7 wrong status, code: 500, info: "Internal Server Error", check duration: 4ms. 3 active and 0 backup servers left. 0 sessions active, 0 requeued, 0 remaining in queue.',
      ] as const;
      return {
        lines: inserted(usual, 0.45, cause[0]),
        cause: ['Server shop/api3 is DOWN, reason: Layer7 wrong status, code: 500'],
        facts: [['3 active and 0 backup']],
      };
    },
  },
  {
    name: 'postfix mail log, a bounced message',
    make: (draw) => {
      const usual = list(
        600,
        (i) =>
          `Oct 14 07:03:${String(i % 60).padStart(2, '0')} mail01 postfix/${draw.pick(['smtp', 'qmgr', 'cleanup', 'smtpd'])}[${2000 + draw.n(99)}]: ${draw.hex(10).toUpperCase()}: ${draw.pick([`to=<${draw.word()}@example.org>, relay=mx.example.org[${draw.ip()}]:25, delay=0.${draw.n(9)}, delays=0.1/0/0.2/0.1, dsn=2.0.0, status=sent (250 2.0.0 OK)`, 'removed', `from=<shop@shop.test>, size=${draw.n(9999)}, nrcpt=1 (queue active)`, `message-id=<${draw.hex(12)}@shop.test>`])}`,
      );
      const cause = [
        "to=<invoices@customer.example>, relay=mx1.customer.example[203.0.113.9]:25, delay=4.1, delays=0.1/0/3/1, dsn=5.7.26, status=bounced (host mx1.customer.example[203.0.113.9] said: 550 5.7.26 Unauthenticated email from shop.test is not accepted due to domain's DMARC policy (in reply to end of DATA command))",
      ] as const;
      return {
        lines: inserted(usual, 0.3, 'Oct 14 07:03:22 mail01 postfix/smtp[2041]: 4F1A2B3C4D: ' + cause[0]),
        cause: [cause[0]],
        facts: [['5.7.26'], ['invoices@customer.example']],
      };
    },
  },
  {
    name: 'mongod structured log',
    make: (draw) => {
      const usual = list(600, (i) =>
        JSON.stringify({
          t: { $date: iso(i) },
          s: 'I',
          c: draw.pick(['NETWORK', 'COMMAND', 'STORAGE']),
          id: 22900 + draw.n(99),
          ctx: `conn${draw.n(900)}`,
          msg: draw.pick([
            'Connection accepted',
            'Connection ended',
            'client metadata',
            'WiredTiger message',
          ]),
          attr: { remote: `${draw.ip()}:${40000 + draw.n(9999)}`, connectionId: i },
        }),
      );
      const cause = 'Plan executor error during find command';
      return {
        lines: inserted(
          usual,
          0.44,
          JSON.stringify({
            t: { $date: iso(9) },
            s: 'W',
            c: 'QUERY',
            id: 23798,
            ctx: 'conn211',
            msg: cause,
            attr: {
              error: {
                code: 292,
                codeName: 'QueryExceededMemoryLimitNoDiskUseAllowed',
                errmsg:
                  'Sort exceeded memory limit of 104857600 bytes, but did not opt in to external sorting.',
              },
              stats: {},
              cmd: { find: 'orders' },
            },
          }),
        ),
        cause: [cause, 'Sort exceeded memory limit of 104857600 bytes'],
        facts: [['QueryExceededMemoryLimitNoDiskUseAllowed'], ['104857600']],
        isJson: true,
      };
    },
  },
  {
    name: 'systemd journal of a unit that loops',
    make: (draw) => {
      const usual = list(
        420,
        (i) =>
          `Oct 14 07:${String(3 + (Math.floor(i / 8) % 50)).padStart(2, '0')}:0${i % 10} app01 ${draw.pick(['CRON[2211]: (root) CMD (test -x /usr/sbin/anacron)', 'systemd[1]: Started session-41.scope - Session 41 of User deploy.', 'dhclient[600]: DHCPACK of 10.0.0.4 from 10.0.0.1', 'systemd[1]: Finished logrotate.service - Rotate log files.', 'kernel: eth0: link becomes ready'])}`,
      );
      const cause = [
        'Oct 14 07:21:02 app01 shop-api[8812]: config: field `pool.max_idle` in /etc/shop/api.toml: expected u32, found "ten" at line 41',
      ] as const;
      return {
        lines: inserted(
          usual,
          0.5,
          'Oct 14 07:21:02 app01 systemd[1]: Starting shop-api.service - Shop API...',
          cause[0],
          'Oct 14 07:21:02 app01 systemd[1]: shop-api.service: Main process exited, code=exited, status=78/CONFIG',
          "Oct 14 07:21:02 app01 systemd[1]: shop-api.service: Failed with result 'exit-code'.",
          'Oct 14 07:21:02 app01 systemd[1]: Failed to start shop-api.service - Shop API.',
          'Oct 14 07:21:07 app01 systemd[1]: shop-api.service: Scheduled restart job, restart counter is at 5.',
          'Oct 14 07:21:07 app01 systemd[1]: shop-api.service: Start request repeated too quickly.',
        ),
        cause: ['config: field `pool.max_idle` in /etc/shop/api.toml: expected u32, found "ten" at line 41'],
        facts: [['78/CONFIG'], ['shop-api.service']],
      };
    },
  },
  {
    name: 'postgres server log, a deadlock',
    make: (draw) => {
      const usual = list(
        600,
        (i) =>
          `2026-10-14 07:03:${String(i % 60).padStart(2, '0')}.${100 + draw.n(899)} UTC [${800 + draw.n(99)}] ${draw.pick(['app', 'report'])}@shop LOG:  duration: ${draw.f(100, 900, 3)} ms  statement: SELECT * FROM ${draw.word()} WHERE id = ${draw.n(9999)}`,
      );
      const cause = [
        '2026-10-14 07:03:40.118 UTC [844] app@shop DETAIL:  Process 844 waits for ShareLock on transaction 118221; blocked by process 851.',
        '2026-10-14 07:03:40.118 UTC [844] app@shop ERROR:  deadlock detected',
      ] as const;
      return {
        lines: inserted(
          usual,
          0.4,
          cause[1],
          cause[0],
          '\tProcess 851 waits for ShareLock on transaction 118220; blocked by process 844.',
          '\tProcess 844: UPDATE stock SET held = held + 1 WHERE sku = $1',
          '\tProcess 851: UPDATE stock SET held = held - 1 WHERE sku = $1',
          '2026-10-14 07:03:40.118 UTC [844] app@shop HINT:  See server log for query details.',
          '2026-10-14 07:03:40.118 UTC [844] app@shop CONTEXT:  while updating tuple (41,7) in relation "stock"',
        ),
        cause: [
          'deadlock detected',
          'Process 844 waits for ShareLock on transaction 118221; blocked by process 851.',
        ],
        facts: [['851'], ['relation "stock"', 'UPDATE stock']],
      };
    },
  },
  {
    name: 'smartctl of twenty drives',
    make: (draw) => {
      const one = (d: string, bad: boolean) => [
        `=== START OF INFORMATION SECTION === (/dev/sd${d})`,
        `Serial Number:    ${draw.hex(8).toUpperCase()}`,
        'SMART overall-health self-assessment test result: PASSED',
        'ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE',
        '  1 Raw_Read_Error_Rate     0x000f   100   100   006    Pre-fail  Always       -       0',
        `  5 Reallocated_Sector_Ct   0x0033   ${bad ? '009   009' : '100   100'}   010    Pre-fail  Always       ${bad ? 'FAILING_NOW' : '-'}       ${bad ? 3912 : 0}`,
        `  9 Power_On_Hours          0x0032   0${70 + draw.n(29)}   0${70 + draw.n(29)}   000    Old_age   Always       -       ${draw.n(40000)}`,
        '187 Reported_Uncorrect      0x0032   100   100   000    Old_age   Always       -       0',
        `194 Temperature_Celsius     0x0022   03${draw.n(9)}   045   000    Old_age   Always       -       3${draw.n(9)}`,
        '197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       0',
        '199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always       -       0',
        'SMART Error Log Version: 1',
        'No Errors Logged',
        '',
      ];
      const usual = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((d) => one(d, d === 'k'));
      return {
        lines: usual,
        cause: [
          '  5 Reallocated_Sector_Ct   0x0033   009   009   010    Pre-fail  Always       FAILING_NOW       3912',
        ],
        facts: [['FAILING_NOW'], ['3912']],
      };
    },
  },
  {
    name: 'strace of a daemon that cannot write',
    make: (draw) => {
      const usual = list(
        1200,
        (i) =>
          `${1200 + draw.n(4)}  ${clock(i, 30)}.${100000 + draw.n(899999)} ${draw.pick([`openat(AT_FDCWD, "/usr/lib/x86_64-linux-gnu/lib${draw.word()}.so.${draw.n(9)}", O_RDONLY|O_CLOEXEC) = ${draw.n(30)}`, `openat(AT_FDCWD, "/etc/ld.so.nohwcap", O_RDONLY) = -1 ENOENT (No such file or directory)`, `read(${draw.n(20)}, "\\177ELF\\2\\1\\1\\0"..., 832) = 832`, `epoll_wait(5, [], 128, ${draw.n(900)}) = 0`, `stat("/usr/share/locale/en_US.utf8/LC_MESSAGES/${draw.word()}.mo", 0x7ffd${draw.hex(8)}) = -1 ENOENT (No such file or directory)`, `recvfrom(9, 0x55d${draw.hex(9)}, 4096, 0, NULL, NULL) = -1 EAGAIN (Resource temporarily unavailable)`])}`,
      );
      const cause = [
        '1201  07:03:40.118221 openat(AT_FDCWD, "/var/lib/shop/ledger.wal", O_RDWR|O_CREAT, 0600) = -1 EROFS (Read-only file system)',
      ] as const;
      return {
        lines: inserted(usual, 0.83, cause[0]),
        cause: [
          'openat(AT_FDCWD, "/var/lib/shop/ledger.wal", O_RDWR|O_CREAT, 0600) = -1 EROFS (Read-only file system)',
        ],
        facts: [['ledger.wal'], ['EROFS']],
      };
    },
  },
  {
    name: 'df and mounts of many volumes',
    make: (draw) => {
      const usual = list(
        330,
        (i) =>
          `/dev/mapper/vg-${draw.word()}${i}   ${String(100 + draw.n(900)).padStart(4)}G  ${String(10 + draw.n(60)).padStart(4)}G  ${String(90 + draw.n(400)).padStart(4)}G  ${String(10 + draw.n(60)).padStart(3)}% /srv/${draw.word()}/${i}`,
      );
      const cause = ['/dev/mapper/vg-ledger      500G   500G     0G 100% /srv/ledger/main'] as const;
      return {
        lines: [
          'Filesystem                  Size  Used Avail Use% Mounted on',
          ...inserted(usual, 0.5, cause[0]),
        ],
        cause,
      };
    },
  },
];
