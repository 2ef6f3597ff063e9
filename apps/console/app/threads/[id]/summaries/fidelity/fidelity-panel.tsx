'use client';

import type { Schemas } from '@spillway/client';
import type { ReactNode } from 'react';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count, percent } from '@/ui/quantity';
import { MessageLink } from '../../message-link';
import classes from './fidelity.module.css';
import { Measure } from './measure';
import { useFidelity, type Fidelity } from './use-fidelity';

interface Props {
  thread: Schemas['Thread'];
  summary: Schemas['Summary'];
}

/** What the model still knows of the messages that a generation replaced, and what it does not. */
export function FidelityPanel({ thread, summary }: Props) {
  const fidelity = useFidelity(thread, summary);
  return (
    <section className={classes.panel} aria-labelledby="fidelity-title">
      <div className={classes.head}>
        <h3 id="fidelity-title">Fidelity</h3>
        <p className="dim">
          The model no longer gets messages {count(summary.from_seq)}–{count(summary.to_seq)}: it gets this
          summary. Here is how much of what matters in them it can still see. Code counts this, no model
          judges it.
        </p>
      </div>
      {fidelity.isPending && <RowsLoading rows={3} />}
      {fidelity.isError && (
        <ProblemPanel problem={problemOf(fidelity.error)} onRetry={() => void fidelity.refetch()} />
      )}
      {fidelity.data === null && <p>This summary was made before fidelity was measured.</p>}
      {fidelity.data && <Measures fidelity={fidelity.data} summary={summary} />}
    </section>
  );
}

function Measures({ fidelity, summary }: { fidelity: Fidelity; summary: Schemas['Summary'] }) {
  const lost = fidelity.lost ?? { instructions: [], facts: [], needs: [] };
  const { needs, need_recall: recall, needs_through_seq: through } = fidelity;
  return (
    <>
      <div className={classes.measures}>
        <Measure
          name="Instructions"
          kept={fidelity.instructions_kept}
          total={fidelity.instructions_total}
          none="No rule of the user was in force."
          lost={lost.instructions.map(({ id, seq, text }) => (
            <Lost key={id} seq={seq}>
              {text}
            </Lost>
          ))}
        >
          Rules that the user gave for the rest of the thread. The summary must say them word for word.
        </Measure>
        <Measure
          name="Facts in use"
          kept={fidelity.facts_kept}
          total={fidelity.facts_total}
          none="Nobody wrote an id, a path or a long number in these messages."
          lost={lost.facts.map(({ value, label, seq }) => (
            <Lost key={value} seq={seq} label={label}>
              <span className="mono">{value}</span>
            </Lost>
          ))}
        >
          Ids, paths and long numbers that the user or the agent wrote in these messages. The agent needs them
          letter by letter. What is missing here it can find by a search of the thread.
        </Measure>
        <Measure
          name="Used afterwards"
          kept={Math.round((recall ?? 0) * (needs ?? 0))}
          total={needs ?? 0}
          none={
            needs === null
              ? 'This is counted once contexts show the summary.'
              : 'The agent has used nothing from the summarized messages yet.'
          }
          lost={lost.needs.map(({ value, label, seq, used_seq: used }) => (
            <Lost key={value} seq={seq} label={label} used={used}>
              <span className="mono">{value}</span>
            </Lost>
          ))}
        >
          The test of the summary: ids, paths and numbers that the agent wrote after message{' '}
          {count(summary.as_of_seq)}
          {through !== null && through > summary.as_of_seq && <>, up to message {count(through)},</>} and had
          from the summarized ones. What the summary does not say, the agent had to look up.
        </Measure>
      </div>
      <p className="dim">
        Score <strong className="num">{percent(fidelity.score)}</strong>: the smaller share of instructions
        and facts. A policy can set a minimum with <span className="mono">summary.min_fidelity</span>; a
        summary below it is made once more and completed.
      </p>
    </>
  );
}

interface LostProps {
  seq: number;
  label?: string;
  /** Where the agent used it. */
  used?: number;
  children: ReactNode;
}

const Lost = ({ seq, label, used, children }: LostProps) => (
  <>
    <span className={classes.value}>
      {label ? <span className="dim">{label}: </span> : null}
      {children}
    </span>
    <span className={classes.where}>
      <MessageLink seq={seq} label={`Last said in message ${count(seq)}`}>
        message {count(seq)}
      </MessageLink>
      {used !== undefined && (
        <>
          , used in{' '}
          <MessageLink seq={used} label={`Used in message ${count(used)}`}>
            {count(used)}
          </MessageLink>
        </>
      )}
    </span>
  </>
);
