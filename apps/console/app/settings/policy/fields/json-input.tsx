'use client';

import { Textarea } from '@mantine/core';
import { readObject } from '../json/read-object';
import { useFieldText, type Unread } from '../use-unread';

interface Props {
  path: string;
  shared: { error?: string | undefined };
  value: unknown;
  onChange: (value: unknown) => void;
  unread: Unread;
}

/** An object as JSON. Text that does not parse yet stays in the field. */
export function JsonInput({ path, shared, value, onChange, unread }: Props) {
  const [text, setText] = useFieldText<string>(unread, { path, value, shown, means, fault });
  const type = (next: string) => {
    setText(next);
    const read = parse(next);
    if (read.ok) onChange(read.value);
  };
  return (
    <Textarea
      {...shared}
      size="xs"
      autosize
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2);

/** An empty text unsets the key. */
const parse = (text: string) =>
  text.trim() === '' ? ({ ok: true, value: null } as const) : readObject(text);

const means = (text: string, value: unknown): boolean => {
  const read = parse(text);
  return read.ok && JSON.stringify(read.value) === JSON.stringify(value ?? null);
};

const fault = (text: string): string | null => {
  const read = parse(text);
  return read.ok ? null : read.why;
};
