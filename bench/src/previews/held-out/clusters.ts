import { inserted, iso, list, type HeldOut } from './held-out-output.js';

/** Clusters, containers and machines. */
export const clusters: readonly HeldOut[] = [
  {
    name: 'kubectl describe of many pods',
    make: (draw) => {
      const pod = (n: string, bad: boolean) => [
        `Name:             ${n}`,
        'Namespace:        shop',
        'Priority:         0',
        `Node:             node-${draw.n(9)}/${draw.ip()}`,
        'Start Time:       Wed, 14 Oct 2026 06:58:01 +0000',
        `Labels:           app=${n.split('-')[0]}`,
        'Status:           ' + (bad ? 'Pending' : 'Running'),
        `IP:               ${bad ? '' : draw.ip()}`,
        'Containers:',
        '  app:',
        `    Image:          registry.shop.test/${n.split('-')[0]}:1.${draw.n(40)}`,
        '    Port:           8080/TCP',
        '    State:          ' + (bad ? 'Waiting' : 'Running'),
        ...(bad
          ? ['      Reason:       ContainerCreating']
          : ['      Started:      Wed, 14 Oct 2026 06:58:04 +0000']),
        '    Ready:          ' + (bad ? 'False' : 'True'),
        '    Restart Count:  0',
        '    Limits:',
        '      memory:  512Mi',
        'Conditions:',
        '  Type              Status',
        `  Initialized       True`,
        `  Ready             ${bad ? 'False' : 'True'}`,
        'Events:',
        ...(bad
          ? [
              '  Type     Reason       Age                   From               Message',
              '  ----     ------       ----                  ----               -------',
              '  Normal   Scheduled    14m                   default-scheduler  Successfully assigned shop/refund-6c8d to node-4',
              '  Warning  FailedMount  2m (x14 over 14m)     kubelet            MountVolume.SetUp failed for volume "tls" : secret "refund-tls-2026" not found',
            ]
          : ['  <none>']),
        '',
      ];
      const usual = list(34, (i) =>
        pod(i === 21 ? 'refund-6c8d7b-x1' : `${draw.word()}-${draw.hex(6)}-${i}`, i === 21),
      ).flat();
      return {
        lines: usual,
        cause: ['MountVolume.SetUp failed for volume "tls" : secret "refund-tls-2026" not found'],
        facts: [['refund-6c8d'], ['refund-tls-2026'], ['FailedMount']],
      };
    },
  },
  {
    name: 'kubectl get events, sorted',
    make: (draw) => {
      const usual = list(
        640,
        (i) =>
          `${draw.n(59)}m         Normal    ${draw.pick(['Pulled', 'Created', 'Started', 'Scheduled', 'SuccessfulCreate', 'Killing', 'ScalingReplicaSet'])}${' '.repeat(6)}pod/${draw.word()}-${draw.hex(8)}-${i}   ${draw.pick(['Container image already present on machine', 'Created container app', 'Started container app', 'Stopping container app'])}`,
      );
      const cause = [
        '4m          Warning   FailedCreate      replicaset/ledger-79c          Error creating: pods "ledger-79c-" is forbidden: exceeded quota: shop-quota, requested: limits.memory=2Gi, used: limits.memory=63Gi, limited: limits.memory=64Gi',
      ] as const;
      return {
        lines: [
          'LAST SEEN   TYPE      REASON            OBJECT                         MESSAGE',
          ...inserted(usual, 0.44, cause[0]),
        ],
        cause,
        facts: [['shop-quota'], ['ledger-79c']],
      };
    },
  },
  {
    name: 'docker compose up, one service loops',
    make: (draw) => {
      const s = ['api-1', 'db-1', 'cache-1', 'web-1'];
      const usual = list(
        700,
        (i) =>
          `${draw.pick(s).padEnd(10)}| ${draw.pick([`GET /${draw.word()}/${i} 200 ${draw.n(90)} - ${draw.f(1, 9, 3)} ms`, `LOG:  checkpoint complete: wrote ${draw.n(99)} buffers (0.${draw.n(9)}%)`, `1:M 14 Oct 2026 07:03:1${draw.n(9)}.112 * ${draw.n(99)} changes in 300 seconds. Saving...`, 'ready - started server on 0.0.0.0:3000'])}`,
      );
      const cause = [
        "worker-1  | ImportError: cannot import name 'Settings' from 'pydantic' (/usr/local/lib/python3.11/site-packages/pydantic/__init__.py)",
      ] as const;
      return {
        lines: [
          ' Container shop-db-1  Created',
          ' Container shop-worker-1  Created',
          'Attaching to api-1, cache-1, db-1, web-1, worker-1',
          ...inserted(
            usual,
            0.4,
            'worker-1  | Traceback (most recent call last):',
            'worker-1  |   File "/app/worker.py", line 3, in <module>',
            'worker-1  |     from shop.settings import settings',
            'worker-1  |   File "/app/shop/settings.py", line 1, in <module>',
            'worker-1  |     from pydantic import Settings',
            cause[0],
            'worker-1 exited with code 1',
          ),
        ],
        cause: [cause[0].slice(12)],
        facts: [['worker-1'], ['settings.py']],
      };
    },
  },
  {
    name: 'buildkit plain progress, a failed RUN',
    make: (draw) => {
      const usual = [];
      let st = 5;
      for (let i = 0; i < 420; i++) {
        if (i % 60 === 0) st++;
        usual.push(
          `#${st} ${(i * 0.31).toFixed(3)} ${draw.pick([`Get:${i} http://deb.debian.org/debian bookworm/main amd64 lib${draw.word()}${i} amd64 ${draw.n(9)}.${draw.n(9)} [${draw.n(900)} kB]`, `Selecting previously unselected package lib${draw.word()}${i}:amd64.`, `Unpacking lib${draw.word()}${i}:amd64 (${draw.n(9)}.${draw.n(9)}) ...`])}`,
        );
      }
      const cause = [
        '#14 31.22   × Building wheel for pyodbc (pyproject.toml) did not run successfully.',
        '#14 31.22       src/pyodbc.h:56:10: fatal error: sql.h: No such file or directory',
      ] as const;
      return {
        lines: [
          '#1 [internal] load build definition from Dockerfile',
          '#1 DONE 0.0s',
          ...usual,
          '#14 [builder 6/9] RUN pip wheel -r requirements.txt',
          '#14 2.110 Collecting pyodbc==5.1.0',
          ...list(
            60,
            (i) => `#14 ${(3 + i * 0.4).toFixed(2)} Collecting ${draw.word()}${i}==${draw.n(4)}.${draw.n(9)}`,
          ),
          '#14 31.22   error: subprocess-exited-with-error',
          '#14 31.22   ',
          cause[0],
          '#14 31.22   │ exit code: 1',
          '#14 31.22   ╰─> [18 lines of output]',
          '#14 31.22       running bdist_wheel',
          cause[1],
          "#14 31.22       error: command '/usr/bin/gcc' failed with exit code 1",
          '#14 ERROR: process "/bin/sh -c pip wheel -r requirements.txt" did not complete successfully: exit code: 1',
          '------',
          ' > [builder 6/9] RUN pip wheel -r requirements.txt:',
          '31.22       #include <sql.h>',
          '------',
          'Dockerfile:21',
          '--------------------',
          '  19 |     COPY requirements.txt .',
          '  20 |     ',
          '  21 | >>> RUN pip wheel -r requirements.txt',
          '--------------------',
          'ERROR: failed to solve: process "/bin/sh -c pip wheel -r requirements.txt" did not complete successfully: exit code: 1',
        ],
        cause: ['src/pyodbc.h:56:10: fatal error: sql.h: No such file or directory'],
        facts: [['pyodbc'], ['Dockerfile:21'], ['exit code: 1']],
      };
    },
  },
  {
    name: 'argocd app sync table',
    make: (draw) => {
      const usual = list(
        330,
        (i) =>
          `${iso(i)}  apps   Deployment  shop  ${`${draw.word()}-${i}`.padEnd(24)} Synced  Healthy              deployment.apps/${draw.word()}-${i} configured`,
      );
      const cause = [
        '2026-10-14T07:08:01.000Z  apps   Deployment  shop  refund                   OutOfSync  Degraded  SyncFailed   Deployment.apps "refund" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"refund-v2"}}: field is immutable',
      ] as const;
      return {
        lines: [
          'TIMESTAMP                  GROUP  KIND        NAMESPACE  NAME  STATUS  HEALTH  HOOK  MESSAGE',
          ...inserted(usual, 0.2, cause[0]),
        ],
        cause: ['spec.selector: Invalid value'],
        facts: [['field is immutable'], ['refund']],
      };
    },
  },
  {
    name: 'cloud-init output',
    make: (draw) => {
      const usual = list(460, (i) =>
        draw.pick([
          `Get:${i} http://archive.ubuntu.com/ubuntu jammy/universe amd64 lib${draw.word()}${i} amd64 1.${draw.n(9)} [${draw.n(99)} kB]`,
          `Unpacking lib${draw.word()}${i} (1.${draw.n(9)}) ...`,
          `Setting up lib${draw.word()}${i} (1.${draw.n(9)}) ...`,
          `ci-info: | ${draw.n(9)} | ${draw.ip()} | 255.255.255.0 | . | global |`,
        ]),
      );
      const cause = [
        "2026-10-14 07:04:12,881 - schema.py[WARNING]: Invalid cloud-config provided: Please run 'sudo cloud-init schema --system' to see the schema errors.",
        '2026-10-14 07:04:19,112 - cc_mounts.py[WARNING]: Failed to make device /dev/nvme1n1: mkfs.xfs: /dev/nvme1n1 appears to contain an existing filesystem (ext4).',
      ] as const;
      return {
        lines: [
          "Cloud-init v. 23.4.4-0ubuntu0~22.04.1 running 'modules:final' at Wed, 14 Oct 2026 07:03:55 +0000. Up 18.32 seconds.",
          ...inserted(usual, 0.62, cause[1]),
          'Cloud-init v. 23.4.4-0ubuntu0~22.04.1 finished at Wed, 14 Oct 2026 07:05:41 +0000. Datasource DataSourceEc2Local.  Up 124.12 seconds',
        ],
        cause: [cause[1].slice(25)],
        facts: [['/dev/nvme1n1'], ['124.12 seconds']],
      };
    },
  },
  {
    name: 'cloudformation stack events table',
    make: (draw) => {
      const usual = list(
        310,
        (i) =>
          `| ${iso(i)} | ${draw.pick(['CREATE_IN_PROGRESS', 'CREATE_COMPLETE', 'UPDATE_COMPLETE'])}       | ${draw.pick(['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::SQS::Queue'])} | ${draw.Word()}${i} | - |`,
      );
      const cause = [
        '| 2026-10-14T07:05:01.000Z | UPDATE_FAILED            | AWS::Lambda::Function | RefundHandler | Resource handler returned message: "Unzipped size must be smaller than 262144000 bytes (Service: Lambda, Status Code: 400)" |',
      ] as const;
      return {
        lines: [
          '| Timestamp | ResourceStatus | ResourceType | LogicalResourceId | ResourceStatusReason |',
          '|---|---|---|---|---|',
          ...inserted(
            usual,
            0.3,
            cause[0],
            ...list(
              40,
              (i) =>
                `| ${iso(400 + i)} | UPDATE_ROLLBACK_IN_PROGRESS | AWS::IAM::Role | ${draw.Word()}${i} | Resource update cancelled |`,
            ),
          ),
        ],
        cause: ['Unzipped size must be smaller than 262144000 bytes'],
        facts: [['RefundHandler'], ['262144000']],
      };
    },
  },
  {
    name: 'ansible-lint and yamllint',
    make: (draw) => {
      const usual = list(
        320,
        () =>
          `roles/${draw.word()}/tasks/main.yml:${draw.n(200)}:${draw.n(80)}: [warning] line too long (${121 + draw.n(40)} > 120 characters) (line-length)`,
      );
      const cause = [
        "roles/web/tasks/main.yml:31:1: [error] syntax error: found character '\\t' that cannot start any token (syntax)",
      ] as const;
      return {
        lines: inserted(usual, 0.37, cause[0]),
        cause,
        facts: [['roles/web/tasks/main.yml:31'], ['syntax error']],
      };
    },
  },
];
