import { Button, type MantineSpacing } from '@mantine/core';

interface Props {
  /** An infinite query, or what is needed of one. */
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  label?: string;
  m?: MantineSpacing;
}

/** The button under a list that asks for its next page; nothing where there is none. */
export function LoadMore({ list, label = 'Load more', m = 'md' }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="default"
      m={m}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
