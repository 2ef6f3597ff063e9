import { useCallback, useEffect, useState } from 'react';

export type MarkUnread = (path: string, why: string | null) => void;

/** Why the text of a field cannot be read, by path: the draft has the value from before, which nobody means. */
export function useUnread() {
  const [unread, setUnread] = useState<Record<string, string>>({});
  const markUnread: MarkUnread = useCallback((path, why) => {
    setUnread(({ [path]: _old, ...others }) => (why === null ? others : { ...others, [path]: why }));
  }, []);
  return { unread, markUnread };
}

/** Marks the text of a field for as long as it is shown and cannot be read. */
export function useMarkUnread(mark: MarkUnread, path: string, why: string | null): void {
  useEffect(() => {
    if (why === null) return;
    mark(path, why);
    return () => mark(path, null);
  }, [mark, path, why]);
}
