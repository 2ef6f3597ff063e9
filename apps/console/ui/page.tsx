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

/** The title of a list, with a sentence on what is in it where there is room. */
export const PageTitle = ({ title, about }: { title: string; about: string }) => (
  <div className={classes.title}>
    <h1>{title}</h1>
    <span className={`dim ${classes.about}`}>{about}</span>
  </div>
);
