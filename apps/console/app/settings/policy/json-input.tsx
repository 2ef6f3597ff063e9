'use client';

import { Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';

interface Props {
  shared: { error?: string | undefined };
  value: unknown;
  onChange: (value: unknown) => void;
}

const textOf = (value: unknown) =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2);

/** An object as JSON. Text that does not parse yet stays in the field. */
export function JsonInput({ shared, value, onChange }: Props) {
  const [text, setText] = useState(textOf(value));
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText((old) => (same(old, value) ? old : textOf(value)));
  }, [value]);
  const type = (next: string) => {
    setText(next);
    const parsed = parse(next);
    setWrong(parsed === undefined);
    if (parsed !== undefined) onChange(parsed);
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
      error={wrong ? 'must be a JSON object' : shared.error}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** Null for empty text, undefined for anything but an object. */
function parse(text: string): object | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const same = (text: string, value: unknown): boolean =>
  JSON.stringify(parse(text)) === JSON.stringify(value ?? null);
