import { RowsLoading } from '@/ui/rows-loading';

export default function Loading() {
  return <RowsLoading rows={14} />;
}
