'use client';

import { ActionIcon, Loader, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useMemo } from 'react';
import { LoadMore } from '@/ui/lists/load-more';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count, percent } from '@/ui/quantity';
import { highlighter } from './highlight/highlight';
import { Highlighted } from './highlight/highlighted';
import classes from './matches.module.css';
import type { Grep, Search } from './use-grep';

interface Props {
  grep: Grep;
  search: Search;
  line: number | null;
  total: number;
  onGo: (line: number) => void;
}

export function GrepMatches({ grep: { query, matches, scanned }, search, line, total, onGo }: Props) {
  const { pattern, ignoreCase } = search;
  const highlight = useMemo(() => highlighter({ pattern, ignoreCase }), [pattern, ignoreCase]);
  if (query.isLoadingError)
    return <ProblemPanel problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  const at = line ?? 0;
  const before = matches.findLast((match) => match.line < at);
  const after = matches.find((match) => match.line > at);
  const position = matches.findIndex((match) => match.line === line);
  return (
    <section className={classes.matches} aria-label="Matches">
      <header className={classes.matchesHead}>
        <span role="status">
          {query.isPending ? (
            <>
              <Loader size={12} aria-hidden /> <VisuallyHidden>Searching</VisuallyHidden>
            </>
          ) : (
            <>
              {position >= 0 && `${count(position + 1)} of `}
              {matches.length === 1 ? '1 match' : `${count(matches.length)} matches`}
              {query.hasNextPage && ` in the first ${percent(scanned / total)}`}
            </>
          )}
        </span>
        <span>
          <ActionIcon
            aria-label="Previous match"
            disabled={!before}
            onClick={() => before && onGo(before.line)}
          >
            <IconChevronUp size={15} />
          </ActionIcon>
          <ActionIcon aria-label="Next match" disabled={!after} onClick={() => after && onGo(after.line)}>
            <IconChevronDown size={15} />
          </ActionIcon>
        </span>
      </header>
      <ol className={classes.matchList} tabIndex={0} aria-label="Matching lines">
        {matches.map((match) => (
          <li key={match.offset}>
            <button
              type="button"
              className={classes.match}
              aria-current={match.line === line || undefined}
              onClick={() => onGo(match.line)}
            >
              <span className={`num ${classes.matchLine}`}>{count(match.line)}</span>
              <span className={classes.matchText}>
                <Highlighted pieces={highlight(match.text.trim().slice(0, 240))} />
              </span>
            </button>
          </li>
        ))}
        {query.hasNextPage && (
          <li className={classes.matchMore}>
            <LoadMore list={query} label="Search on" m={0} />
          </li>
        )}
        {!query.isPending && matches.length === 0 && !query.hasNextPage && (
          <li className={classes.matchMore}>No line matches.</li>
        )}
      </ol>
    </section>
  );
}
