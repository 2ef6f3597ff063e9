'use client';

import { Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useMarkUnread, type MarkUnread } from './use-unread';

interface Props {
  path: string;
  shared: { error?: string | undefined };
  value: unknown;
  onChange: (value: unknown) => void;
  markUnread: MarkUnread;
}

const textOf = (value: unknown) =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2);

/** An object as JSON. Text that does not parse yet stays in the field. */
export function JsonInput({ path, shared, value, onChange, markUnread }: Props) {
  const [text, setText] = useState(textOf(value));
  useMarkUnread(markUnread, path, parse(text) === undefined ? 'must be a JSON object' : null);
  useEffect(() => {
    setText((old) => (same(old, value) ? old : textOf(value)));
  }, [value]);
  const type = (next: string) => {
    setText(next);
    const parsed = parse(next);
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
