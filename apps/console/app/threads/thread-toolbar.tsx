'use client';

import { CloseButton, NativeSelect, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { isSort, sorts, states, type ThreadFilters } from './thread-filters';
import classes from './threads.module.css';

interface Props {
  filters: ThreadFilters;
  onChange: (changes: Partial<ThreadFilters>) => void;
}

export function ThreadToolbar({ filters, onChange }: Props) {
  return (
    <div className={classes.toolbar}>
      <SearchBox q={filters.q} onSearch={(q) => onChange({ q })} />
      <div className={classes.states} role="group" aria-label="State">
        {[null, ...states].map((state) => (
          <UnstyledButton
            key={state ?? 'all'}
            className={classes.state}
            aria-pressed={filters.state === state}
            onClick={() => onChange({ state })}
          >
            {state ?? 'all'}
          </UnstyledButton>
        ))}
      </div>
      <NativeSelect
        aria-label="Sort by"
        className={classes.sort}
        value={filters.sort}
        onChange={(event) => {
          if (isSort(event.currentTarget.value)) onChange({ sort: event.currentTarget.value });
        }}
        data={Object.entries(sorts).map(([value, label]) => ({ value, label }))}
      />
    </div>
  );
}

function SearchBox({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState(q);
  const box = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(onSearch, 250);
  useHotkeys([['mod+K', () => box.current?.focus()]], []);
  // The address may change by other ways: the back button, or "clear the filters".
  useEffect(() => setText(q), [q]);
  const type = (value: string) => {
    setText(value);
    search(value.trim());
  };
  return (
    <TextInput
      ref={box}
      className={classes.search}
      aria-label="Search threads by id"
      placeholder="Search by id"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={text && <CloseButton size="xs" aria-label="Clear the search" onClick={() => type('')} />}
      spellCheck={false}
    />
  );
}
