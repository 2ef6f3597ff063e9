import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface Props {
  icon: Icon;
  title: string;
  /** Whether it is the whole page, which has no other heading. */
  wholePage?: boolean;
  children?: ReactNode;
}

/** Describes what would be here, why it is empty, and what to do. */
export function Empty({ icon: Shape, title, wholePage = false, children }: Props) {
  const Heading = wholePage ? 'h1' : 'h2';
  return (
    <div className={classes.notice}>
      <Shape size={28} stroke={1.4} aria-hidden className={classes.quiet} />
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.text}>{children}</div>
    </div>
  );
}
