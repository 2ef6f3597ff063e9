import { Copy } from './copy';
import classes from './copy-box.module.css';

interface Props {
  /** What the button copies. */
  text: string;
  label: string;
  /** The same text, as `code` or `pre`. */
  children: React.ReactNode;
}

/** A text in a box, with a button that copies it. */
export const CopyBox = ({ text, label, children }: Props) => (
  <div className={classes.box}>
    {children}
    <Copy text={text} label={label} />
  </div>
);
