import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const pauseMs = 250;

/**
 * The text of a field that filters a list: reported without outer spaces once typing pauses. It follows the URL, which
 * changes otherwise too: by the back button, a saved view, or a removed filter.
 */
export function useTyped(inUrl: string, report: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(inUrl);
  const reportLater = useDebouncedCallback(report, pauseMs);
  useEffect(() => setText(inUrl), [inUrl]);
  return [
    text,
    (next) => {
      setText(next);
      reportLater(next.trim());
    },
  ];
}
