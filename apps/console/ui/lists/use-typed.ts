import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const pauseMs = 250;

/**
 * The text of a field that filters a list: reported without outer spaces once typing pauses. It follows the URL where
 * that changes otherwise: by the back button, a saved view, or a removed filter. A report that arrives there changes
 * nothing: the field may say more by then, and the space between two words is in no report.
 */
export function useTyped(inUrl: string, report: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(inUrl);
  /** What was reported and has not arrived in the URL. */
  const reported = useRef<string[]>([]);
  const reportLater = useDebouncedCallback((next: string) => {
    if (next !== (reported.current.at(-1) ?? inUrl)) reported.current.push(next);
    report(next);
  }, pauseMs);
  useEffect(() => {
    const arrived = reported.current.indexOf(inUrl);
    reported.current.splice(0, arrived < 0 ? Infinity : arrived + 1);
    if (arrived < 0) setText(inUrl);
  }, [inUrl]);
  return [
    text,
    (next) => {
      setText(next);
      reportLater(next.trim());
    },
  ];
}
