import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { textOf } from './policy-draft';

/** The text of a field that cannot be read. */
export interface UnreadText {
  text: string;
  why: string;
}

/** By path; '' is the JSON of the whole policy. */
export type UnreadTexts = Record<string, UnreadText>;

export interface Unread {
  texts: UnreadTexts;
  mark: (path: string, unread: UnreadText | null) => void;
  clear: () => void;
}

/** The texts that cannot be read: the draft has the values from before, which nobody means. */
export function useUnread(kept: UnreadTexts): Unread {
  const [texts, setTexts] = useState(kept);
  const mark: Unread['mark'] = useCallback((path, unread) => {
    setTexts(({ [path]: _old, ...others }) => (unread === null ? others : { ...others, [path]: unread }));
  }, []);
  const clear = useCallback(() => setTexts({}), []);
  return useMemo(() => ({ texts, mark, clear }), [texts, mark, clear]);
}

interface Field<T> {
  path: string;
  value: unknown;
  /** The text of a value. */
  shown: (value: unknown) => T;
  /** Whether a text means a value, however it is written. */
  means: (text: T, value: unknown) => boolean;
  /** Why a text cannot be read; null when it can. */
  fault: (text: T) => string | null;
}

/** The text of a field. It stays as typed, also when it cannot be read, until its value is changed elsewhere. */
export function useFieldText<T extends string | number>(
  unread: Unread,
  field: Field<T | string>,
): [T | string, (text: T | string) => void] {
  const { path, value, shown, means, fault } = field;
  const [text, setText] = useState<T | string>(() => unread.texts[path]?.text ?? shown(value));
  const last = useRef(value);
  useEffect(() => {
    // The same value in another object, as after a save, is no change: text that is being typed stays.
    const same = textOf(last.current) === textOf(value);
    last.current = value;
    if (same) return;
    setText((old) => (means(old, value) ? old : shown(value)));
  }, [value, shown, means]);
  const why = fault(text);
  const { mark } = unread;
  useEffect(() => {
    if (why === null) return;
    mark(path, { text: String(text), why });
    return () => mark(path, null);
  }, [mark, path, text, why]);
  return [text, setText];
}
