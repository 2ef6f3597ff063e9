import { Skeleton, VisuallyHidden } from '@mantine/core';

/** Placeholder rows while a list loads. */
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
