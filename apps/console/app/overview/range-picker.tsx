'use client';

import { SegmentedControl } from '@mantine/core';
import { useQueryString } from '@/ui/lists/query-string';
import { ranges, type Range } from './range';

/** The range selector. Its value is in the URL. */
export function RangePicker({ range }: { range: Range }) {
  const [, change] = useQueryString();
  return (
    <SegmentedControl
      size="xs"
      aria-label="How far back"
      value={range}
      onChange={(value) => change({ range: value === '24h' ? null : value })}
      data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
    />
  );
}
