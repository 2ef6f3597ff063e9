'use client';

import { Button, NativeSelect } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import classes from './sort-control.module.css';
import { sorts, usualDirection, type Direction, type ThreadFilters, type ThreadSort } from './thread-filters';

interface Props {
  filters: ThreadFilters;
  onSort: (sort: ThreadSort, direction: Direction) => void;
}

const sortNames: Record<ThreadSort, string> = {
  updated: 'Activity',
  created: 'Created',
  tokens: 'Live tokens',
  messages: 'Messages',
  id: 'Thread',
  fill: 'Fill',
};

/** Sorts where the screen is too narrow for the column heads that do. */
export function SortControl({ filters: { sort, direction }, onSort }: Props) {
  const ascends = direction === 'asc';
  const Arrow = ascends ? IconArrowUp : IconArrowDown;
  return (
    <div role="group" aria-label="Order" className={classes.sort}>
      <NativeSelect
        aria-label="Sort by"
        className={classes.by}
        value={sort}
        onChange={(event) => {
          const by = sorts.find((known) => known === event.currentTarget.value) ?? sort;
          onSort(by, usualDirection(by));
        }}
        data={sorts.map((value) => ({ value, label: `Sort by ${sortNames[value].toLowerCase()}` }))}
      />
      <Button
        variant="default"
        leftSection={<Arrow size={14} aria-hidden />}
        onClick={() => onSort(sort, ascends ? 'desc' : 'asc')}
      >
        {ascends ? 'Ascending' : 'Descending'}
      </Button>
    </div>
  );
}
