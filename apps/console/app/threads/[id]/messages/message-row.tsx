import { IconArrowForwardUp, IconEraser, IconPinFilled } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { memo, useState } from 'react';
import { exactTime } from '@/ui/exact-time';
import { ShownText } from '@/ui/text/shown-text';
import { ChangeBar } from './changes/change-bar';
import type { MessageChange } from './changes/message-change';
import { CompactionMark } from './gutter/compaction-mark';
import { CoverageGutter } from './gutter/coverage-gutter';
import { MessageActions } from './message-actions';
import { MessageBody } from './content/message-body';
import { MessageGutter } from './gutter/message-gutter';
import { RecordedJson } from './content/recorded-json';
import classes from './message-row.module.css';
import type { Standing } from './gutter/standing';
import { StandingTag } from './gutter/standing-tag';
import { contentOf } from './content/message-content';
import { RoleChip } from './role-chip';
import type { ToolTies } from './content/tool-ties';

const holdWords = {
  keep: 'Kept beside the next summaries',
  whole: 'Kept beside the next summaries, with its whole outputs',
  release: 'Released: its tool results are one line from the next fold on',
};

export interface RowActions {
  onGo: (seq: number) => void;
  onCopyLink: (seq: number) => void;
  onFork: (seq: number) => void;
  onChange: (name: MessageChange['name'], seq: number) => void;
}

interface Props extends RowActions {
  threadId: string;
  seq: number;
  message: Schemas['Message'] | undefined;
  /** A fork has no message with this seq: its parent had rewound it. */
  absent: boolean;
  /** The read of its block failed. */
  failed: boolean;
  /** The newest message of the context. */
  newest: boolean;
  standing: Standing;
  /** The generation that ends here. */
  ending: Schemas['GenerationRange'] | undefined;
  ties: ToolTies;
  words: readonly string[];
  selected: boolean;
  hit: boolean;
}

/** A message of the timeline. Renders only when its own data changed, so that scrolling stays smooth. */
export const MessageRow = memo(function MessageRow(props: Props) {
  const { threadId, seq, message, absent, failed, newest, standing, ending, ties, words, selected, hit } =
    props;
  const { onGo, onCopyLink, onFork, onChange } = props;
  const [raw, setRaw] = useState(false);
  const [changing, setChanging] = useState(false);
  const rewound = message?.rewound_before != null;
  const erased = message !== undefined && message.erased_at !== null;
  return (
    <>
      <article
        className={classes.row}
        data-selected={selected}
        data-hit={hit}
        data-place={standing.name}
        data-erased={erased}
        data-rewound={rewound}
        aria-label={`Message ${seq}`}
        aria-current={selected || undefined}
      >
        <MessageGutter seq={seq} message={message} onGo={onGo} />
        <CoverageGutter seq={seq} standing={standing} />
        {message ? (
          <div className={classes.main}>
            <header className={classes.head}>
              <RoleChip role={message.role} participant={contentOf(message.message).participant} />
              {message.pinned && (
                <span className={classes.tag}>
                  <IconPinFilled size={12} aria-hidden /> pinned
                </span>
              )}
              {message.rewound_before !== null && (
                <span
                  className={classes.tag}
                  title={`Contexts from message ${message.rewound_before} on are without it`}
                >
                  rewound
                </span>
              )}
              {message.hold && (
                <span className={classes.tag} title={holdWords[message.hold]}>
                  {message.hold === 'release' ? 'released' : 'kept'}
                </span>
              )}
              {standing.name === 'carried' && (
                <IconArrowForwardUp size={13} aria-hidden className={classes.carried} />
              )}
              <StandingTag standing={standing} />
              {message.id && (
                <span className={`mono ${classes.clientId}`}>
                  <ShownText text={message.id} />
                </span>
              )}
              <MessageActions
                seq={seq}
                raw={raw}
                onRaw={setRaw}
                onCopyLink={onCopyLink}
                onFork={rewound ? undefined : onFork}
                changing={changing}
                onChanging={rewound && erased ? undefined : setChanging}
              />
            </header>
            {changing && <ChangeBar message={message} newest={newest} onChange={onChange} />}
            {message.erased_at ? (
              <p className={classes.erased}>
                <IconEraser size={14} aria-hidden /> Erased {exactTime(message.erased_at)}. Its content, its
                outputs and every summary made from it are gone; its seq and its call ids stay.
              </p>
            ) : (
              <MessageBody message={message} ties={ties} words={words} onGo={onGo} />
            )}
            {raw && <RecordedJson threadId={threadId} seq={seq} />}
          </div>
        ) : (
          <div className={classes.main}>
            {absent ? (
              <p className={classes.erased}>Rewound before the fork: this thread does not have it.</p>
            ) : failed ? (
              <p className={classes.erased}>Not loaded</p>
            ) : (
              <div className={classes.waiting} role="img" aria-label="Loading" />
            )}
          </div>
        )}
      </article>
      {ending && <CompactionMark summary={ending} />}
    </>
  );
});
