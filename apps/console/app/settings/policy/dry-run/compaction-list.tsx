'use client';

import { Button } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { count } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import own from '../policy.module.css';

const firstShown = 20;

/** Every simulated compaction: what the chart shows, as a table. */
export function CompactionList({ name, run }: { name: string; run: Schemas['SimulatedRun'] }) {
  const [all, setAll] = useState(false);
  const { compactions } = run;
  const shown = all ? compactions : compactions.slice(0, firstShown);
  return (
    <div className={own.compactions} tabIndex={0} role="group" aria-label={`${name}: compactions`}>
      <table className={table.table}>
        <caption className={own.tableName}>{name}</caption>
        <thead>
          <tr>
            <th className={table.right}>At</th>
            <th>Covers</th>
            <th className={table.right}>Before</th>
            <th className={table.right}>After</th>
          </tr>
        </thead>
        <tbody>
          {compactions.length === 0 && (
            <tr>
              <td colSpan={4} className="dim">
                None
              </td>
            </tr>
          )}
          {shown.map((one) => (
            <tr key={one.to_seq}>
              <td className={`num ${table.right}`}>{count(one.at_seq)}</td>
              <td className="num">
                {count(one.from_seq)}–{count(one.to_seq)}
              </td>
              <td className={`num ${table.right}`}>{count(one.tokens_before)}</td>
              <td className={`num ${table.right}`}>{count(one.tokens_after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < compactions.length && (
        <Button variant="default" m={10} onClick={() => setAll(true)}>
          Show all {count(compactions.length)}
        </Button>
      )}
    </div>
  );
}
