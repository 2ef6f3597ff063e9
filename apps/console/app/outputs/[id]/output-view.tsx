'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useRef } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { useQueryString } from '@/ui/lists/query-string';
import { Page } from '@/ui/page';
import { GrepMatches } from './grep-matches';
import { LineList } from './line-list';
import { OutlinePane } from './outline-pane';
import { OutputHeader } from './output-header';
import { OutputToolbar } from './output-toolbar';
import classes from './output.module.css';
import { Tombstone } from './tombstone';
import { useGrep } from './use-grep';
import { useOutputKeys } from './use-output-keys';

/** Its state and pin may change while it is open; its lines never do. */
const checkMs = 30_000;

/** The first parts of the keys of an output's content, and of the call that it answers. */
const contentKeys = ['lines', 'grep', 'outline', 'answered-call'];

export function OutputView({ first }: { first: Schemas['Output'] }) {
  const { data: output } = useQuery({
    queryKey: ['output', first.id],
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/outputs/{id}', { params: { path: { id: first.id } }, signal })),
    initialData: first,
    initialDataUpdatedAt: arrivedAt(first),
    staleTime: checkMs,
    refetchInterval: checkMs,
  });
  const isReadable = output.state === 'ready';
  const queries = useQueryClient();
  // Removed while it was open: what was read of it must go too.
  useEffect(() => {
    if (isReadable) return;
    for (const name of contentKeys) queries.removeQueries({ queryKey: [name, first.id] });
  }, [isReadable, queries, first.id]);
  return isReadable ? <Reader output={output} /> : <Tombstone output={output} />;
}

function Reader({ output }: { output: Schemas['Output'] }) {
  const [params, change] = useQueryString();
  const box = useRef<HTMLInputElement>(null);
  const asked = Number(params.get('line'));
  const line = Number.isInteger(asked) && asked >= 1 && asked <= output.lines ? asked : null;
  const wrap = params.get('wrap') === 'yes';
  const outline = params.get('outline') === 'yes';
  const search = { pattern: params.get('grep') ?? '', ignoreCase: params.get('case') !== 'exact' };
  const grep = useGrep(output.id, search);
  const go = (to: number) => change({ line: String(Math.min(output.lines, Math.max(1, to))) });
  useOutputKeys({ lines: output.lines, line, matches: grep.matches, go, find: () => box.current?.focus() });
  return (
    <Page
      head={
        <>
          <OutputHeader output={output} />
          <OutputToolbar
            ref={box}
            output={output}
            search={search}
            onSearch={(next) => change({ grep: next.pattern, case: next.ignoreCase ? null : 'exact' })}
            wrap={wrap}
            onWrap={(on) => change({ wrap: on ? 'yes' : null })}
            outline={outline}
            onOutline={(on) => change({ outline: on ? 'yes' : null })}
            onGo={go}
          />
        </>
      }
    >
      <div className={classes.panes} data-searching={search.pattern !== ''} data-outline={outline}>
        {outline && <OutlinePane outputId={output.id} line={line} onGo={go} />}
        <LineList output={output} line={line} wrap={wrap} search={search} matches={grep.lines} onGo={go} />
        {search.pattern !== '' && (
          <GrepMatches grep={grep} search={search} line={line} total={output.lines} onGo={go} />
        )}
      </div>
    </Page>
  );
}
