'use client';

import { Button, NumberInput, Slider } from '@mantine/core';
import { useEffect, useState } from 'react';
import { count } from '@/ui/quantity';
import type { Coverage } from '../messages/coverage';
import classes from './context.module.css';

interface Props {
  at: number;
  lastSeq: number;
  coverage: Coverage;
  onChange: (seq: number) => void;
}

/** Travels through a thread: what the model saw when message N was the newest. Ticks are compactions. */
export function AtField({ at, lastSeq, coverage, onChange }: Props) {
  const [seq, setSeq] = useState(at);
  useEffect(() => setSeq(at), [at]);
  const go = (value: number) => {
    const inside = Math.min(lastSeq, Math.max(1, Math.round(value)));
    setSeq(inside);
    onChange(inside);
  };
  const marks = coverage.chain
    .filter((summary) => summary.as_of_seq <= lastSeq)
    .map((summary) => ({ value: summary.as_of_seq }));
  return (
    <div className={classes.at}>
      <label htmlFor="context-at" className={classes.atLabel}>
        What the model saw at message
      </label>
      <NumberInput
        id="context-at"
        value={seq}
        onChange={(value) => typeof value === 'number' && setSeq(value)}
        onBlur={() => seq !== at && go(seq)}
        onKeyDown={(event) => event.key === 'Enter' && go(seq)}
        min={1}
        max={lastSeq}
        allowDecimal={false}
        thousandSeparator=","
        w={92}
      />
      <Slider
        className={classes.slider}
        classNames={{ mark: classes.mark }}
        size="sm"
        min={1}
        max={Math.max(2, lastSeq)}
        value={seq}
        onChange={setSeq}
        onChangeEnd={go}
        label={(value) => count(value)}
        marks={marks}
        thumbLabel="Message"
        disabled={lastSeq < 2}
      />
      <Button variant="default" disabled={at === lastSeq} onClick={() => go(lastSeq)}>
        Now
      </Button>
    </div>
  );
}
