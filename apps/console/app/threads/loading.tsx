import { RowsLoading } from '@/ui/lists/rows-loading';

export default function Loading() {
  return <RowsLoading rows={14} />;
}
