import { IconBraces, IconDots, IconEye, IconGitFork, IconLink } from '@tabler/icons-react';
import { QueryLink } from '@/ui/lists/query-link';
import classes from './message-row.module.css';

interface Props {
  seq: number;
  raw: boolean;
  onRaw: (raw: boolean) => void;
  onCopyLink: (seq: number) => void;
  /** Undefined for a message that a fork cannot end with. */
  onFork: ((seq: number) => void) | undefined;
  changing: boolean;
  /** Undefined for a message that allows no change. */
  onChanging: ((changing: boolean) => void) | undefined;
}

/** The actions of a message. Plain buttons, since the page has twenty of these rows. */
export function MessageActions(props: Props) {
  const { seq, raw, onRaw, onCopyLink, onFork, changing, onChanging } = props;
  return (
    <span className={classes.actions}>
      <QueryLink
        changes={{ tab: 'context', at: String(seq) }}
        className={classes.action}
        title={`What the model saw at message ${seq}`}
      >
        <IconEye size={14} aria-hidden />
        <span className={classes.actionLabel}>Context here</span>
      </QueryLink>
      {onFork && (
        <button
          type="button"
          className={classes.action}
          aria-label={`Fork from here: message ${seq}`}
          title="A new thread with the messages up to here"
          onClick={() => onFork(seq)}
        >
          <IconGitFork size={14} aria-hidden />
          <span className={classes.actionLabel}>Fork from here</span>
        </button>
      )}
      <button
        type="button"
        className={classes.action}
        aria-label={`JSON of message ${seq}`}
        title="JSON as recorded"
        aria-expanded={raw}
        onClick={() => onRaw(!raw)}
      >
        <IconBraces size={14} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.action}
        aria-label={`Copy a link to message ${seq}`}
        title="Copy a link (c)"
        onClick={() => onCopyLink(seq)}
      >
        <IconLink size={14} aria-hidden />
      </button>
      {onChanging && (
        <button
          type="button"
          className={classes.action}
          aria-label={`Change message ${seq}`}
          title="Pin, keep, release, rewind, erase"
          aria-expanded={changing}
          onClick={() => onChanging(!changing)}
        >
          <IconDots size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}
