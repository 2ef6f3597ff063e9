'use client';

import { NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { PolicyField } from './policy-fields';
import { useMarkUnread, type MarkUnread } from './use-unread';

interface Props {
  shared: object;
  field: PolicyField;
  value: unknown;
  onChange: (value: number | null) => void;
  markUnread: MarkUnread;
}

/**
 * Bounds are shown and not enforced while typing: the API validates, with errors beside the field. Text that is no number
 * stays in the field, and cannot be saved as the number from before.
 */
export function NumberField({ shared, field, value, onChange, markUnread }: Props) {
  const { path, kind, nullable, whole, max } = field;
  const [text, setText] = useState(shown(value));
  useMarkUnread(markUnread, path, numberIn(text) === null && !nullable ? 'must be a number' : null);
  useEffect(() => {
    setText((old) => (numberIn(old) === value ? old : shown(value)));
  }, [value]);
  return (
    <NumberInput
      {...shared}
      value={text}
      allowDecimal={!whole}
      allowNegative={false}
      thousandSeparator=","
      step={kind === 'ratio' ? 0.01 : 1}
      clampBehavior="none"
      hideControls={kind !== 'ratio' && (max ?? 0) > 1_000}
      onChange={(next) => {
        setText(next);
        const number = numberIn(next);
        if (number !== null || nullable) onChange(number);
      }}
    />
  );
}

const shown = (value: unknown): number | string => (typeof value === 'number' ? value : '');

/** Null for no number. A number that is still typed, such as `0.`, is text. */
function numberIn(text: number | string): number | null {
  if (text === '') return null;
  const number = Number(text);
  return Number.isNaN(number) ? null : number;
}
