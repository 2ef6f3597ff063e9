import type { Schemas } from '@spillway/client';
import { count, plural } from '@/ui/quantity';
import classes from './compact.module.css';

type Preview = Schemas['CompactionPreview'];

interface Part {
  kind: 'covered' | 'summarized' | 'carried' | 'kept';
  letter: string;
  label: string;
  messages: number;
}

/** The thread from its first message to its newest, and where the cut would be. */
export function PreviewBar({ preview }: { preview: Preview }) {
  const parts = partsOf(preview).filter(({ messages }) => messages > 0);
  const { cut } = preview;
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {parts.map(({ kind, messages }) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: messages }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label="The thread after it">
        {parts.map(({ kind, letter, label, messages }) => (
          <li key={kind}>
            <span className={classes.swatch} data-kind={kind} aria-hidden>
              {letter}
            </span>
            {label} <span className="num">{plural(messages, 'message')}</span>
          </li>
        ))}
        {cut && (
          <li className={classes.cut}>
            cut after message <span className="num">{count(cut.to_seq)}</span> of{' '}
            <span className="num">{count(preview.last_seq)}</span>
          </li>
        )}
      </ul>
    </div>
  );
}

function partsOf({ cut, compaction, last_seq: last, leading_through: leading }: Preview): Part[] {
  const covered = cut ? cut.from_seq - 1 : compaction.covered_through;
  const carried = cut ? cut.carried.filter((seq) => seq > covered).length : 0;
  const lead = Math.max(0, Math.min(leading, cut?.to_seq ?? 0) - covered);
  const folded = cut ? cut.to_seq - covered - carried - lead : 0;
  const part = (kind: Part['kind'], letter: string, label: string, messages: number): Part => ({
    kind,
    letter,
    label,
    messages,
  });
  return [
    part('covered', 'Σ', 'covered already', covered),
    part('summarized', 'S', 'would be summarized', folded),
    part('carried', 'C', 'carried verbatim', carried + lead),
    part('kept', 'K', 'kept verbatim', last - (cut?.to_seq ?? covered)),
  ];
}
