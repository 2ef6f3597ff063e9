'use client';

import { Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useTyped } from '@/ui/lists/use-typed';
import classes from '../threads.module.css';

interface Props {
  ref: Ref<HTMLInputElement>;
  q: string;
  onSearch: (q: string) => void;
}

/** Escape leaves the field, so that the list's keys work again. */
export function SearchBox({ ref, q, onSearch }: Props) {
  const [text, type] = useTyped(q, onSearch);
  return (
    <TextInput
      ref={ref}
      className={classes.search}
      aria-label="Search threads by id or metadata"
      placeholder="Part of an id or of a metadata value"
      value={text}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
      }}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        <Kbd size="xs" aria-hidden>
          /
        </Kbd>
      }
      spellCheck={false}
    />
  );
}
