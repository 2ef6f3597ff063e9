import { Sparkline } from '@mantine/charts';
import Link from 'next/link';
import type { ReactNode } from 'react';
import classes from './tile.module.css';

interface Props {
  name: string;
  value: string;
  /** The value in full, where the tile shows it short. */
  exact?: string;
  note: ReactNode;
  /** By bucket. The line is decorative; the tables below have the numbers. */
  trend: number[];
  tone?: 'plain' | 'bad';
  href?: string;
}

/** One number of the range, with its trend. */
export function Tile({ name, value, exact, note, trend, tone = 'plain', href }: Props) {
  return (
    <div className={classes.tile} data-tone={tone}>
      <dt className={classes.name}>{href ? <Link href={href}>{name}</Link> : name}</dt>
      <dd className={`num ${classes.value}`} title={exact}>
        {value}
      </dd>
      <dd className={classes.note}>{note}</dd>
      <dd className={classes.trend} aria-hidden inert>
        <Sparkline
          h={26}
          data={trend}
          curveType="monotone"
          color={tone === 'bad' ? 'var(--bad)' : 'var(--accent)'}
          fillOpacity={0.18}
          strokeWidth={1.5}
        />
      </dd>
    </div>
  );
}
