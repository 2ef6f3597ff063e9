import { Skeleton, VisuallyHidden } from '@mantine/core';

/** Grey rows in the place of a list that is on its way. */
export function RowsLoading({ rows }: { rows: number }) {
  return (
    <div style={{ padding: '16px 20px', display: 'grid', gap: 14 }} role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: rows }, (_, i) => (
        <Skeleton key={i} height={18} radius="sm" width={`${92 - ((i * 17) % 40)}%`} />
      ))}
    </div>
  );
}
