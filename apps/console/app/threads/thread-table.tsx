import { UnstyledButton } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import type { ReactNode } from 'react';
import table from '@/ui/table.module.css';
import type { ThreadSort } from './thread-filters';
import { ThreadRow } from './thread-row';
import classes from './threads.module.css';

interface Props {
  threads: Schemas['Thread'][];
  sort: ThreadSort;
  onSort: (sort: ThreadSort) => void;
}

export function ThreadTable({ threads, sort, onSort }: Props) {
  const by = (name: ThreadSort, label: string): ReactNode => (
    <UnstyledButton className={classes.by} data-on={sort === name} onClick={() => onSort(name)}>
      {label}
      <IconArrowDown size={12} aria-hidden className={classes.arrow} />
    </UnstyledButton>
  );
  const order = (name: ThreadSort) =>
    sort === name ? (name === 'id' ? 'ascending' : 'descending') : undefined;
  return (
    <table className={`${table.table} ${classes.table}`}>
      <thead>
        <tr>
          <th aria-sort={order('id')}>{by('id', 'Thread')}</th>
          <th>State</th>
          <th className={classes.wide}>Model</th>
          <th aria-sort={order('tokens')}>{by('tokens', 'Window')}</th>
          <th className={`${table.right} ${classes.medium}`} aria-sort={order('messages')}>
            {by('messages', 'Messages')}
          </th>
          <th className={`${table.right} ${classes.medium}`}>Recorded → live</th>
          <th className={`${table.right} ${classes.wide}`}>Generation</th>
          <th className={`${table.right} ${classes.wide}`}>Outputs</th>
          <th className={table.right} aria-sort={order('updated')}>
            {by('updated', 'Activity')}
          </th>
        </tr>
      </thead>
      <tbody>
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} />
        ))}
      </tbody>
    </table>
  );
}
