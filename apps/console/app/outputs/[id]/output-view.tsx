'use client';

import { useState } from 'react';
import type { Schemas } from '@spillway/client';
import { Page } from '@/ui/page';
import { useQueryString } from '@/ui/query-string';
import { GrepMatches } from './grep-matches';
import { LineList } from './line-list';
import { OutputHeader } from './output-header';
import { OutputToolbar } from './output-toolbar';
import classes from './output.module.css';
import { useGrep } from './use-grep';

export function OutputView({ output }: { output: Schemas['Output'] }) {
  const [params, change] = useQueryString();
  const [wrap, setWrap] = useState(false);
  const asked = Number(params.get('line'));
  const line = Number.isInteger(asked) && asked >= 1 && asked <= output.lines ? asked : null;
  const search = { pattern: params.get('grep') ?? '', ignoreCase: params.get('case') !== 'exact' };
  const grep = useGrep(output.id, search);
  const go = (to: number) => change({ line: String(Math.min(output.lines, Math.max(1, to))) });
  return (
    <Page
      head={
        <>
          <OutputHeader output={output} />
          <OutputToolbar
            output={output}
            search={search}
            onSearch={(next) => change({ grep: next.pattern, case: next.ignoreCase ? null : 'exact' })}
            wrap={wrap}
            onWrap={setWrap}
            onGo={go}
          />
        </>
      }
    >
      <div className={classes.panes} data-searching={search.pattern !== ''}>
        <LineList output={output} line={line} wrap={wrap} search={search} matches={grep.lines} onGo={go} />
        {search.pattern !== '' && (
          <GrepMatches grep={grep} search={search} line={line} total={output.lines} onGo={go} />
        )}
      </div>
    </Page>
  );
}
