import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  usualDirection,
  type Direction,
  type ThreadFilters,
  type ThreadSort,
} from '../filters/thread-filters';
import classes from './thread-list.module.css';

interface Props {
  filters: ThreadFilters;
  /** On a phone it is for screen readers alone, and no stop for the keyboard. */
  hidden: boolean;
  onSort: (sort: ThreadSort, direction: Direction) => void;
}

interface Column {
  className: string;
  label: string;
  sort?: ThreadSort;
}

/** The last column holds the time by which the list is sorted. */
const columnsBy = (sort: ThreadSort): Column[] => [
  { className: 'state', label: 'State' },
  { className: 'name', label: 'Thread', sort: 'id' },
  { className: 'model', label: 'Model' },
  { className: 'window', label: 'Fill', sort: 'fill' },
  { className: 'messages', label: 'Messages', sort: 'messages' },
  { className: 'tokens', label: 'Recorded → live', sort: 'tokens' },
  { className: 'generation', label: 'Generation' },
  sort === 'created'
    ? { className: 'activity', label: 'Created', sort }
    : { className: 'activity', label: 'Activity', sort: 'updated' },
];

/** A click sorts by a column, a second one reverses the order. */
export function ThreadHead({ filters, hidden, onSort }: Props) {
  const turned = filters.direction === 'asc' ? 'desc' : 'asc';
  const Arrow = filters.direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <div role="row" aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
      {columnsBy(filters.sort).map(({ className, label, sort }) => {
        const on = sort !== undefined && filters.sort === sort;
        const order = on ? (filters.direction === 'asc' ? 'ascending' : 'descending') : undefined;
        return (
          <span key={label} role="columnheader" aria-sort={order} className={classes[className]}>
            {sort ? (
              <UnstyledButton
                className={classes.by}
                data-on={on}
                tabIndex={hidden ? -1 : undefined}
                onClick={() => onSort(sort, on ? turned : usualDirection(sort))}
              >
                {label}
                {on && <Arrow size={12} aria-hidden />}
              </UnstyledButton>
            ) : (
              label
            )}
          </span>
        );
      })}
    </div>
  );
}
