'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import table from '@/ui/lists/table.module.css';
import classes from './chart.module.css';

export interface TwinColumn<Row> {
  name: string;
  value: (row: Row) => ReactNode;
}

interface Props<Row> {
  title: string;
  /** What the chart says, in a sentence. */
  says: ReactNode;
  rows: readonly (Row & { at: string; name: string })[];
  columns: readonly TwinColumn<Row>[];
  /** Shown instead of an empty chart. */
  empty: string | null;
  children: ReactNode;
}

/** A chart with a table of its numbers, which is always there. */
export function ChartPanel<Row>({ title, says, rows, columns, empty, children }: Props<Row>) {
  const [asTable, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h3 id={id}>{title}</h3>
        {!asTable && empty === null && <span className={classes.zone}>times in UTC</span>}
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-pressed={asTable}
          leftSection={asTable ? <IconChartBar size={13} aria-hidden /> : <IconTable size={13} aria-hidden />}
          onClick={toggle}
        >
          {asTable ? 'Chart' : 'Table'}
          <span className={classes.hidden}> of {title.toLowerCase()}</span>
        </Button>
      </div>
      <p className={classes.says}>{says}</p>
      {!asTable &&
        (empty === null ? (
          <div aria-hidden className={classes.picture}>
            {children}
          </div>
        ) : (
          <p className={classes.empty}>{empty}</p>
        ))}
      <div
        className={asTable ? classes.twin : classes.hidden}
        {...(asTable ? { tabIndex: 0, role: 'group', 'aria-labelledby': id } : {})}
      >
        <table className={table.table}>
          <caption className={classes.hidden}>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              {columns.map((column) => (
                <th key={column.name} scope="col" className={table.right}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.at}>
                <th scope="row" className={`num ${classes.when}`}>
                  {row.name}
                </th>
                {columns.map((column) => (
                  <td key={column.name} className={`num ${table.right}`}>
                    {column.value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
