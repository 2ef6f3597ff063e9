'use client';

import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import classes from './search.module.css';
import type { ThreadSearch } from './use-search';

interface Props {
  input: RefObject<HTMLInputElement | null>;
  search: ThreadSearch;
  /** Enter on the same query goes to its next hit. */
  onStep: (step: 1 | -1) => void;
  onLeave: () => void;
}

export function SearchBox({ input, search, onStep, onLeave }: Props) {
  const [text, setText] = useState(search.q);
  useEffect(() => setText(search.q), [search.q]);
  const clear = () => {
    setText('');
    search.setQ('');
    onLeave();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return clear();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (text.trim() !== search.q.trim()) return search.setQ(text);
    onStep(event.shiftKey ? -1 : 1);
  };
  return (
    <search className={classes.box}>
      <TextInput
        ref={input}
        aria-label="Search this thread"
        placeholder="Search this thread  /"
        value={text}
        maxLength={1000}
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        leftSection={<IconSearch size={14} aria-hidden />}
        className={classes.field}
      />
      {text !== '' && (
        <ActionIcon aria-label="Clear the search" onClick={clear}>
          <IconX size={15} />
        </ActionIcon>
      )}
    </search>
  );
}
