'use client';

import { Button, NumberInput, Slider } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { count } from '@/ui/quantity';
import type { Coverage } from '../messages/gutter/coverage';
import classes from './context.module.css';

interface Props {
  at: number;
  /** The newest message of the current context. */
  lastSeq: number;
  /** The newest message of all, which may be rewound. */
  recordedSeq: number;
  coverage: Coverage;
  onChange: (seq: number) => void;
}

/** How long the slider rests before its context is requested. */
const restMs = 180;

/** Shows what the model saw when message N was the newest. Ticks are compactions. */
export function AtField({ at, lastSeq, recordedSeq, coverage, onChange }: Props) {
  const [seq, setSeq] = useState(at);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setSeq(at), [at]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const go = (value: number) => {
    const inside = Math.min(recordedSeq, Math.max(1, Math.round(value)));
    setSeq(inside);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(inside), restMs);
  };
  const now = () => {
    clearTimeout(timer.current);
    setSeq(lastSeq);
    onChange(lastSeq);
  };
  const cuts = coverage.chain.map((summary) => summary.as_of_seq).filter((cut) => cut <= recordedSeq);
  const press = (event: KeyboardEvent) => {
    const to = cutKey(event, seq, cuts);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    const end = seq < lastSeq ? lastSeq : recordedSeq;
    go(to ?? (event.key === 'PageDown' || event.key === 'ArrowLeft' ? 1 : end));
  };
  return (
    <div className={classes.at}>
      <label htmlFor="context-at" className={classes.atLabel}>
        What the model saw at message
      </label>
      <NumberInput
        id="context-at"
        value={seq}
        onChange={(value) => typeof value === 'number' && go(value)}
        min={1}
        max={recordedSeq}
        allowDecimal={false}
        thousandSeparator=","
        w={92}
      />
      <div className={classes.slider} onKeyDownCapture={press}>
        <Slider
          classNames={{ mark: classes.mark }}
          size="sm"
          min={1}
          max={Math.max(2, recordedSeq)}
          value={seq}
          onChange={go}
          label={(value) => count(value)}
          marks={[...new Set(cuts)].map((value) => ({ value }))}
          thumbLabel="Message: arrow keys by one, page keys by compaction"
          disabled={recordedSeq < 2}
        />
      </div>
      <Button variant="default" disabled={at === lastSeq} onClick={now}>
        Now
      </Button>
    </div>
  );
}

/**
 * The target of Shift with an arrow or a page key: the next compaction; undefined past the last, null for other keys.
 */
function cutKey(event: KeyboardEvent, at: number, cuts: readonly number[]): number | undefined | null {
  const { key, shiftKey } = event;
  if (key === 'PageUp' || (shiftKey && key === 'ArrowRight')) return cuts.find((cut) => cut > at);
  if (key === 'PageDown' || (shiftKey && key === 'ArrowLeft')) return cuts.findLast((cut) => cut < at);
  return null;
}
