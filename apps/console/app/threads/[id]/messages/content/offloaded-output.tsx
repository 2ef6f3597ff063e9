'use client';

import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { OutputLink } from '@/app/threads/[id]/output-link';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { problemOf } from '@/ui/messages/problem';
import { bytes, count, plural, short } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import classes from './message-body.module.css';

const firstLines = 40;
/** A line can have a megabyte; its start is shown here. */
const maxShown = 16_000;

/** An offloaded tool result, with its first lines on request. */
export function OffloadedOutput({ output }: { output: Schemas['OutputRef'] }) {
  const [open, setOpen] = useState(false);
  const ready = output.state === 'ready';
  return (
    <div className={classes.offloaded}>
      <p className={classes.output} data-state={output.state}>
        <IconFileText size={14} aria-hidden />
        <OutputLink outputId={output.id}>{ready ? 'Open in viewer' : `Output ${output.state}`}</OutputLink>
        <span className="num">
          {bytes(output.bytes)} · {plural(output.lines, 'line')} · {short(output.tokens)} tokens
        </span>
        {ready && (
          <button
            type="button"
            className={classes.jump}
            aria-expanded={open}
            {...(open ? { 'data-collapse': true } : { 'data-expand': true })}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide its first lines' : 'Show its first lines'}
          </button>
        )}
      </p>
      {open && ready && <FirstLines output={output} />}
      <p className={classes.stubNote}>
        {ready ? 'The model sees this stub' : 'Its bytes are gone; the model sees this stub'}
      </p>
    </div>
  );
}

function FirstLines({ output }: { output: Schemas['OutputRef'] }) {
  const lines = useQuery({
    queryKey: ['output-head', output.id],
    queryFn: ({ signal }) =>
      dataOf<string>(
        browserApi.GET('/v1/outputs/{id}/content', {
          params: { path: { id: output.id }, query: { lines: `1-${firstLines}` } },
          parseAs: 'text',
          signal,
        }),
      ),
    staleTime: Infinity,
  });
  if (lines.isPending) return <p className={classes.stubNote}>Loading…</p>;
  if (lines.isError) return <p className={classes.stubNote}>{problemOf(lines.error).detail}</p>;
  const cut = lines.data.length > maxShown;
  const rest = output.lines - firstLines;
  return (
    <div className={classes.firstLines}>
      <pre tabIndex={0} role="group" aria-label="First lines of the output">
        <ShownText text={lines.data.slice(0, maxShown)} />
      </pre>
      {(rest > 0 || cut) && (
        <OutputLink outputId={output.id} line={rest > 0 && !cut ? firstLines + 1 : undefined}>
          {cut ? 'The rest in the viewer' : `${count(rest)} more lines in the viewer`}
        </OutputLink>
      )}
    </div>
  );
}
