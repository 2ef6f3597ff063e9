import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

/** Describes what would be here, why it is empty, and what to do. */
export function Empty({ icon: Shape, title, children }: { icon: Icon; title: string; children?: ReactNode }) {
  return (
    <div className={classes.notice}>
      <Shape size={28} stroke={1.4} aria-hidden className={classes.quiet} />
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.text}>{children}</div>
    </div>
  );
}
