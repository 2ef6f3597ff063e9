'use client';

import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';

interface Props {
  value: string | null;
  onChoose: (id: string | null) => void;
}

/** Finds a thread by a part of its id. Enter takes the typed text as the id. */
export function ThreadPicker({ value, onChoose }: Props) {
  const [text, setText] = useState(value ?? '');
  const [q] = useDebouncedValue(text.trim(), 200);
  const found = useQuery({
    queryKey: ['thread-ids', q],
    queryFn: ({ signal }) => {
      const query = { limit: 8, sort: 'messages' as const, ...(q === '' ? {} : { q }) };
      return dataOf(browserApi.GET('/v1/threads', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
  const ids = found.data?.data.map(({ id }) => id) ?? [];
  return (
    <Autocomplete
      label="Thread"
      size="xs"
      w={300}
      placeholder="Search by id"
      value={text}
      data={ids}
      filter={({ options }) => options}
      onChange={setText}
      onOptionSubmit={onChoose}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && text.trim() !== '' && !event.defaultPrevented) onChoose(text.trim());
      }}
      clearable
      onClear={() => onChoose(null)}
      clearButtonProps={{ 'aria-label': 'Choose no thread' }}
      spellCheck={false}
    />
  );
}
