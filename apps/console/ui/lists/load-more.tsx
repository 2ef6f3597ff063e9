import { Button, type MantineSpacing } from '@mantine/core';
import { problemOf } from '../messages/problem';

interface Props {
  /** An infinite query, or the used part of one. */
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError?: boolean;
    error?: Error | null;
    fetchNextPage: () => Promise<unknown>;
  };
  label?: string;
  m?: MantineSpacing;
}

/** A button that loads the next page, or loads it again once it failed; nothing on the last one. */
export function LoadMore({ list, label = 'Load more', m = 'md' }: Props) {
  if (!list.hasNextPage) return null;
  const problem = list.isFetchNextPageError && list.error ? problemOf(list.error) : null;
  return (
    <>
      {problem && <span role="alert">{problem.detail} </span>}
      <Button
        variant="default"
        m={m}
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {problem ? 'Try again' : label}
      </Button>
    </>
  );
}
