'use client';

import { UnstyledButton } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { count, percent } from '@/ui/quantity';
import { aboutState, factStates } from './fact-words';
import classes from './facts.module.css';
import type { FactState } from './use-facts';

interface Props {
  total: Schemas['SummaryFacts']['total'];
  chosen: FactState | null;
  onChoose: (state: FactState | null) => void;
}

/** The share of facts that are still visible; each part is also a filter. */
export function FactsBar({ total, chosen, onChoose }: Props) {
  const all = total.kept + total.carried + total.dropped;
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {factStates
          .filter((state) => total[state] > 0)
          .map((state) => (
            <span key={state} data-state={state} style={{ flexGrow: total[state] }} />
          ))}
      </div>
      <div className={classes.states} role="group" aria-label="State">
        {factStates.map((state) => (
          <UnstyledButton
            key={state}
            className={classes.state}
            aria-pressed={chosen === state}
            title={aboutState[state]}
            onClick={() => onChoose(chosen === state ? null : state)}
          >
            <span className={classes.swatch} data-state={state} aria-hidden />
            {state} <strong className="num">{count(total[state])}</strong>
            {all > 0 && <span className="num dim">{percent(total[state] / all)}</span>}
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}
