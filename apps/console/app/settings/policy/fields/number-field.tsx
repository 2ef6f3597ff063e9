'use client';

import { NumberInput } from '@mantine/core';
import type { PolicyField } from '../policy-fields';
import { useFieldText, type Unread } from '../use-unread';

interface Props {
  shared: object;
  field: PolicyField;
  value: unknown;
  onChange: (value: number | null) => void;
  unread: Unread;
}

type Text = number | string;

/**
 * Bounds are shown and not enforced while typing: the API validates, with errors beside the field. Text that is no number
 * stays in the field, and cannot be saved as the number from before.
 */
export function NumberField({ shared, field, value, onChange, unread }: Props) {
  const { path, kind, nullable, whole, max } = field;
  const fault = (text: Text) => (numberIn(text) === null && !nullable ? 'must be a number' : null);
  const [text, setText] = useFieldText<number>(unread, { path, value, shown, means, fault });
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

const shown = (value: unknown): Text => (typeof value === 'number' ? value : '');
const means = (text: Text, value: unknown): boolean => numberIn(text) === value;

/** Null for no number. A number that is still typed, such as `0.`, is text. */
function numberIn(text: Text): number | null {
  if (text === '') return null;
  const number = Number(text);
  return Number.isNaN(number) ? null : number;
}
