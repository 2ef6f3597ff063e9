'use client';

import { Button, NativeSelect, NumberInput, Popover } from '@mantine/core';
import {
  IconArrowsDiff,
  IconCheck,
  IconCopy,
  IconInfoCircle,
  IconTerminal2,
  IconX,
} from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { count, plural } from '@/ui/quantity';
import { useApiAddress } from '@/ui/frame/api-address';
import { useCopy } from '@/ui/use-copy';
import { contextCurl } from './context-curl';
import { contextFormats, type FormatName } from './context-formats';
import classes from './context.module.css';

interface Props {
  threadId: string;
  context: Schemas['Context'] | undefined;
  at: number | null;
  other: number | null;
  recordedSeq: number;
  format: FormatName;
  loading: string | null;
  onChange: (changes: Record<string, string | null>) => void;
}

/** The format of the context, what it is compared with, and ways to copy it. */
export function ContextToolbar({
  threadId,
  context,
  at,
  other,
  recordedSeq,
  format,
  loading,
  onChange,
}: Props) {
  const apiAddress = useApiAddress();
  return (
    <div className={classes.toolbar}>
      <NativeSelect
        aria-label="Format of the messages"
        data={[...contextFormats]}
        value={format}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onChange({ format: value === 'openai' ? null : value });
        }}
        w={150}
      />
      <Compare other={other} recordedSeq={recordedSeq} onChange={onChange} />
      <CopyButton
        label={context ? `Copy ${plural(context.messages.length, 'message')} as JSON` : 'Copy as JSON'}
        disabled={!context}
        icon={<IconCopy size={14} aria-hidden />}
        text={() => JSON.stringify(context?.messages ?? [], null, 2)}
      />
      <CopyButton
        label="Copy as curl"
        icon={<IconTerminal2 size={14} aria-hidden />}
        text={() => contextCurl(threadId, { at, format, apiAddress })}
      />
      <Promise />
      <span role="status" className={classes.loading}>
        {loading}
      </span>
    </div>
  );
}

function Compare({ other, recordedSeq, onChange }: Pick<Props, 'other' | 'recordedSeq' | 'onChange'>) {
  const [seq, setSeq] = useState<number | string>(other ?? '');
  if (other !== null) {
    return (
      <Button
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => {
          setSeq('');
          onChange({ with: null });
        }}
      >
        End the comparison with {count(other)}
      </Button>
    );
  }
  return (
    <form
      className={classes.compare}
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof seq === 'number') onChange({ with: String(seq) });
      }}
    >
      <NumberInput
        aria-label="Compare with message"
        placeholder="Compare with message"
        value={seq}
        onChange={setSeq}
        min={1}
        max={recordedSeq}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        leftSection={<IconArrowsDiff size={14} aria-hidden />}
        w={210}
      />
      <Button type="submit" variant="default" disabled={seq === ''}>
        Compare
      </Button>
    </form>
  );
}

interface CopyProps {
  label: string;
  icon: React.ReactNode;
  disabled?: boolean;
  text: () => string;
}

function CopyButton({ label, icon, disabled = false, text }: CopyProps) {
  const clipboard = useCopy();
  return (
    <Button
      variant="default"
      disabled={disabled}
      leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : icon}
      onClick={() => clipboard.copy(text())}
    >
      {clipboard.copied ? 'Copied' : label}
    </Button>
  );
}

const Promise = () => (
  <Popover width={340} position="bottom-start" withArrow>
    <Popover.Target>
      <Button variant="subtle" color="gray" leftSection={<IconInfoCircle size={14} aria-hidden />}>
        How exact is this?
      </Button>
    </Popover.Target>
    <Popover.Dropdown className={classes.promise}>
      These are the messages that the API gave out while message N was the newest: the summary that was active
      then, and the messages after it, to the letter. The system prompt, the window and the limits are
      today&apos;s. What was erased or withdrawn since is not shown.
    </Popover.Dropdown>
  </Popover>
);
