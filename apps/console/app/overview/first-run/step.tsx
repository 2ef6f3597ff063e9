import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './first-run.module.css';

interface Props {
  number: number;
  title: string;
  done?: boolean;
  children: ReactNode;
}

export function Step({ number, title, done = false, children }: Props) {
  return (
    <li className={classes.step} data-done={done}>
      <span className={classes.number} aria-hidden>
        {done ? <IconCheck size={14} stroke={2.5} /> : number}
      </span>
      <div className={classes.body}>
        <h3>
          {title}
          {done && <span className={classes.hidden}> (done)</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}
