import type { ReactNode } from 'react';
import classes from './page.module.css';

/** A page: its head stays, its body scrolls. */
export function Page({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <>
      <header className={classes.head}>{head}</header>
      <div className={classes.body}>{children}</div>
    </>
  );
}
