'use client';

import { UnstyledButton } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { count, percent } from '@/ui/quantity';
import { ShareBar, Swatch, type Tone } from '../share-bar';
import { aboutState, factStates } from './fact-words';
import classes from './facts.module.css';
import type { FactState } from './use-facts';

const tones: Record<FactState, Tone> = { kept: 'good', carried: 'carried', dropped: 'bad' };

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
      <ShareBar
        parts={factStates.map((state) => ({ name: state, size: total[state], tone: tones[state] }))}
      />
      <div className={classes.states} role="group" aria-label="State">
        {factStates.map((state) => (
          <UnstyledButton
            key={state}
            className={classes.state}
            aria-pressed={chosen === state}
            title={aboutState[state]}
            onClick={() => onChoose(chosen === state ? null : state)}
          >
            <Swatch tone={tones[state]} />
            {state} <strong className="num">{count(total[state])}</strong>
            {all > 0 && <span className="num dim">{percent(total[state] / all)}</span>}
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}
