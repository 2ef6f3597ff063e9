import { useEffect, useRef, type RefObject } from 'react';

/** Focuses what takes the place of a form, whose focused field is gone. */
export function useFocusOnMount(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
