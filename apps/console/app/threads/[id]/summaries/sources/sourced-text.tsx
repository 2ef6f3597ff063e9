'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import { count } from '@/ui/quantity';
import { MessageLink } from '../../message-link';
import { CitedText } from './cited-text';
import classes from '../field.module.css';
import type { Statement } from '../facts/use-facts';

interface Props {
  text: string;
  throughSeq: number;
  statements: Statement[] | undefined;
  pointed: Statement | null;
  onPoint: (statement: Statement) => void;
}

/** The text of a field, statement by statement: with source messages, and values that no message contains. */
export function SourcedText({ text, throughSeq, statements, pointed, onPoint }: Props) {
  if (!statements || statements.length === 0)
    return (
      <p className={classes.text}>
        <CitedText text={text} throughSeq={throughSeq} />
      </p>
    );
  const last = statements.at(-1)!;
  const rest = text.slice(last.start + last.text.length).trim();
  return (
    <ul className={classes.statements}>
      {statements.map((statement) => (
        <li
          key={statement.start}
          className={classes.statement}
          data-pointed={statement === pointed}
          data-doubtful={statement.missing.length > 0}
          onMouseEnter={() => onPoint(statement)}
          onFocus={() => onPoint(statement)}
        >
          <span className={classes.quote}>
            <CitedText text={statement.text} throughSeq={throughSeq} />
          </span>
          <Missing values={statement.missing} />
          <Sources statement={statement} />
        </li>
      ))}
      {rest !== '' && <li className={classes.statement}>{rest}</li>}
    </ul>
  );
}

function Missing({ values }: { values: readonly string[] }) {
  if (values.length === 0) return null;
  const more = values.length - shown;
  return (
    <span className={classes.doubt}>
      <IconAlertTriangle size={13} aria-hidden /> not found in the thread: {values.slice(0, shown).join(', ')}
      {more > 0 && ` and ${count(more)} more`}
    </span>
  );
}

/** The source messages that the text itself does not link. */
function Sources({ statement: { basis, seqs, text } }: { statement: Statement }) {
  if (basis === 'unclear') return <span className={classes.sources}>nothing checkable</span>;
  const unlinked = seqs.filter((seq) => !text.includes(`[${seq}]`));
  if (unlinked.length === 0) return null;
  return (
    <span className={classes.sources}>
      {basis === 'matched' ? 'from' : 'cites'}{' '}
      {unlinked.slice(0, shown).map((seq, i) => (
        <span key={seq}>
          {i > 0 && ' '}
          <MessageLink seq={seq} label={`Source: message ${count(seq)}`} />
        </span>
      ))}
      {unlinked.length > shown && ` and ${count(unlinked.length - shown)} more`}
    </span>
  );
}

const shown = 4;
