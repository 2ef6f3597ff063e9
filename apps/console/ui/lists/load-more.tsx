import { Button, type MantineSpacing } from '@mantine/core';

interface Props {
  /** An infinite query, or the used part of one. */
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  label?: string;
  m?: MantineSpacing;
}

/** A button that loads the next page; nothing on the last one. */
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
