import type { Schemas } from '@spillway/client';
import { bytes, count, duration } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import { EmptyTab } from './empty-tab';
import classes from './jobs.module.css';

/** What recent sweeps deleted, and what that freed. */
export function SweepTable({ sweeps }: { sweeps: Schemas['Queue']['sweeps'] }) {
  if (sweeps.length === 0) {
    return <EmptyTab tab="sweeps" filtered={false} />;
  }
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Sweeps">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Started</th>
            <th className={table.right}>Expired</th>
            <th className={table.right}>Over budget</th>
            <th className={table.right}>Deleted</th>
            <th className={table.right}>Orphans</th>
            <th className={table.right}>Failed</th>
            <th className={table.right}>Freed</th>
            <th className={table.right}>Took</th>
            <th>Error</th>
          </tr>
        </thead>
        <tbody>
          {sweeps.map((sweep) => (
            <tr key={sweep.started_at}>
              <td>
                <TimeAgo at={sweep.started_at} />
              </td>
              <td className={`num ${table.right}`}>{count(sweep.expired)}</td>
              <td className={`num ${table.right}`}>{count(sweep.over_budget)}</td>
              <td className={`num ${table.right}`}>{count(sweep.deleted)}</td>
              <td className={`num ${table.right}`}>{count(sweep.orphans)}</td>
              <td className={`num ${table.right}`}>{count(sweep.failed)}</td>
              <td className={`num ${table.right}`}>{bytes(sweep.bytes_freed)}</td>
              <td className={`num ${table.right}`}>{duration(sweep.duration_ms)}</td>
              <td className={`${table.wrapping} ${classes.error}`}>
                {sweep.refused ?? sweep.error ?? <span className="dim">—</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
