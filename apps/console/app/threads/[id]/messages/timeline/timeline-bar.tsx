'use client';

import { ActionIcon, Button, NumberInput, Tooltip } from '@mantine/core';
import { IconArrowBarToDown, IconArrowBarToUp, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { count, plural } from '@/ui/quantity';
import type { Coverage } from '../gutter/coverage';
import classes from './timeline.module.css';

interface Props {
  lastSeq: number;
  at: number;
  coverage: Coverage;
  onGo: (seq: number) => void;
  children: ReactNode;
}

/** Navigation in a long thread: by seq, by compaction, to both ends. */
export function TimelineBar({ lastSeq, at, coverage, onGo, children }: Props) {
  const compactions = coverage.chain.length;
  return (
    <div className={classes.bar}>
      {children}
      <GoTo lastSeq={lastSeq} onGo={onGo} />
      {compactions > 0 && (
        <span className={classes.cuts}>
          <Step
            label="Previous compaction"
            seq={coverage.cutBefore(at)}
            onGo={onGo}
            icon={<IconChevronUp size={15} />}
          />
          <Step
            label="Next compaction"
            seq={coverage.cutAfter(at)}
            onGo={onGo}
            icon={<IconChevronDown size={15} />}
          />
          <span className="dim">{plural(compactions, 'compaction')}</span>
        </span>
      )}
      <span className={classes.ends}>
        <Step label="First message" seq={1} onGo={onGo} icon={<IconArrowBarToUp size={15} />} />
        <Step label="Newest message" seq={lastSeq} onGo={onGo} icon={<IconArrowBarToDown size={15} />} />
      </span>
    </div>
  );
}

function GoTo({ lastSeq, onGo }: { lastSeq: number; onGo: (seq: number) => void }) {
  const [seq, setSeq] = useState<number | string>('');
  return (
    <form
      className={classes.goto}
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof seq === 'number') onGo(seq);
      }}
    >
      <NumberInput
        aria-label="Go to message"
        placeholder="Message"
        value={seq}
        onChange={setSeq}
        min={1}
        max={lastSeq}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        className={classes.seq}
      />
      <Button type="submit" variant="default" className={classes.go} disabled={seq === ''}>
        Go
      </Button>
    </form>
  );
}

interface StepProps {
  label: string;
  seq: number | undefined;
  icon: ReactNode;
  onGo: (seq: number) => void;
}

const Step = ({ label, seq, icon, onGo }: StepProps) => (
  <Tooltip label={seq === undefined ? `${label}: none` : `${label} (${count(seq)})`}>
    <ActionIcon
      aria-label={label}
      disabled={seq === undefined}
      onClick={() => seq !== undefined && onGo(seq)}
    >
      {icon}
    </ActionIcon>
  </Tooltip>
);
