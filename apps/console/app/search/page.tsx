import { SearchView } from './search-view';

export const dynamic = 'force-dynamic';

export default function SearchPage() {
  return <SearchView />;
}
