import { useEffect, useState } from 'react';
import { useQueryString } from '@/ui/lists/query-string';
import type { UnreadTexts } from './use-unread';

export const views = { form: 'Form', json: 'JSON', 'dry-run': 'Dry run' };
export type View = keyof typeof views;

const isView = (name: string): name is View => Object.hasOwn(views, name);

/**
 * The view of the policy, in the URL. One with a text that cannot be read stays until that is corrected or discarded:
 * the draft, which the others show, does not have it.
 */
export function useView(unread: UnreadTexts) {
  const [params, change] = useQueryString();
  const asked = params.get('view') ?? '';
  const paths = Object.keys(unread);
  const held: View | null = paths.length === 0 ? null : paths.includes('') ? 'json' : 'form';
  const view = held ?? (isView(asked) ? asked : 'form');
  const [refused, setRefused] = useState(false);
  if (refused && held === null) setRefused(false);
  const write = (next: View) => change({ view: next === 'form' ? null : next });
  // A draft that was kept may hold another view than its link asks for.
  useEffect(() => {
    if (held !== null) write(held);
  }, [held]);
  const pick = (next: string) => {
    if (held !== null) setRefused(next !== held);
    else if (isView(next)) write(next);
  };
  return { view, pick, refused };
}
