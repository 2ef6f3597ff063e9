import { IconArrowBarToRight, IconCheck, IconX } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import { MessageLink } from '../../message-link';
import { aboutState, factKinds } from './fact-words';
import classes from './facts.module.css';

type Fact = Schemas['SummaryFacts']['data'][number];

const marks = { kept: IconCheck, carried: IconArrowBarToRight, dropped: IconX };

export function FactRow({ fact }: { fact: Fact }) {
  const Mark = marks[fact.state];
  return (
    <li className={classes.row}>
      <span className={classes.mark} data-state={fact.state} title={aboutState[fact.state]}>
        <Mark size={13} stroke={2.2} aria-hidden /> {fact.state}
      </span>
      <span className="dim">{factKinds.find(({ kind }) => kind === fact.kind)?.word ?? fact.kind}</span>
      <span className={`mono ${classes.text}`}>
        <ShownText text={fact.text} />
      </span>
      <span className={classes.seqs}>
        {fact.seqs.map((seq, i) => (
          <span key={seq}>
            {i > 0 && ' '}
            <MessageLink seq={seq} label={`Said in message ${count(seq)}`} />
          </span>
        ))}
        {fact.count > fact.seqs.length && (
          <span className="dim"> and {count(fact.count - fact.seqs.length)} more</span>
        )}
      </span>
    </li>
  );
}
