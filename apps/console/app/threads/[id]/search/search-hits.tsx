'use client';

import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useEffect, useRef } from 'react';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count, plural } from '@/ui/quantity';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { MarkedWords } from '@/ui/text/marked-words';
import { aroundFirstWord } from '@/ui/text/search-words';
import { ShownText } from '@/ui/text/shown-text';
import { OutputLink } from '../output-link';
import { RoleChip } from '../messages/role-chip';
import classes from './search.module.css';
import type { ThreadSearch } from './use-search';

interface Props {
  search: ThreadSearch;
  /** The current hit of the timeline. */
  at: number;
  onGo: (hit: number) => void;
}

/** Search hits in the order of the thread. */
export function SearchHits({ search, at, onGo }: Props) {
  const { hits, loading, error, full, truncated } = search;
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <section className={classes.panel} aria-label="Search hits">
      <header className={classes.head}>
        <span role="status" className="num">
          {loading ? 'Searching…' : sayCount(hits.length, at, full)}
        </span>
        <Step
          label="Previous hit"
          to={at - 1}
          hits={hits.length}
          onGo={onGo}
          icon={<IconChevronUp size={15} />}
        />
        <Step
          label="Next hit"
          to={at + 1}
          hits={hits.length}
          onGo={onGo}
          icon={<IconChevronDown size={15} />}
        />
      </header>
      {error && !loading ? (
        <ProblemPanel problem={problemOf(error)} onRetry={search.retry} />
      ) : loading && hits.length === 0 ? (
        <RowsLoading rows={5} />
      ) : (
        <ol className={classes.hits} tabIndex={0} aria-label="Hits">
          {hits.map((hit, i) => (
            <li key={`${hit.seq}-${hit.output?.id}-${hit.output?.line}`} ref={i === at ? current : undefined}>
              <Hit hit={hit} words={search.words} current={i === at} onGo={() => onGo(i)} />
            </li>
          ))}
        </ol>
      )}
      {truncated && (
        <p className={classes.fine}>
          Older messages or parts of large outputs were not searched: the time limit was reached.
        </p>
      )}
    </section>
  );
}

interface HitProps {
  hit: Schemas['SearchHit'];
  words: readonly string[];
  current: boolean;
  onGo: () => void;
}

function Hit({ hit, words, current, onGo }: HitProps) {
  return (
    <article className={classes.hit} data-current={current}>
      <button type="button" className={classes.goto} aria-current={current} onClick={onGo}>
        <span className={classes.where}>
          <span className="num">{count(hit.seq)}</span>{' '}
          <RoleChip role={hit.role} participant={hit.participant ?? undefined} />
          {hit.match === 'any' && <span className={classes.partly}>some of the words</span>}
          {hit.covered_by !== null && <span className={classes.covered}>in summary G{hit.covered_by}</span>}
        </span>
        <span className={classes.snippet}>
          <MarkedWords text={aroundFirstWord(hit.snippet, words)} words={words} />
        </span>
        {hit.pair && <Pair pair={hit.pair} words={words} />}
        {hit.followed_by.map(({ seq, participant, text }) => (
          <span key={seq} className={classes.pair}>
            Then <span className="num">{count(seq)}</span>
            <ShownText text={`${participant === null ? '' : `, ${participant}`}: ${text}`} />
          </span>
        ))}
      </button>
      {hit.output && (
        <OutputLink outputId={hit.output.id} line={hit.output.line} className={classes.inOutput}>
          Open the output at line {count(hit.output.line)}
        </OutputLink>
      )}
    </article>
  );
}

/** The call of a result, or the result of a call, as its first line. */
const Pair = ({
  pair,
  words,
}: {
  pair: NonNullable<Schemas['SearchHit']['pair']>;
  words: readonly string[];
}) => (
  <span className={classes.pair}>
    {pair.role === 'assistant' ? 'Answers ' : 'Answered by '}
    <span className="num">{count(pair.seq)}</span>:{' '}
    <MarkedWords text={(pair.windows[0]?.text ?? '').replace(/\s+/g, ' ').slice(0, 200)} words={words} />
  </span>
);

interface StepProps {
  label: string;
  to: number;
  hits: number;
  icon: React.ReactNode;
  onGo: (hit: number) => void;
}

const Step = ({ label, to, hits, icon, onGo }: StepProps) => (
  <ActionIcon aria-label={label} disabled={hits === 0} onClick={() => onGo((to + hits) % Math.max(1, hits))}>
    {icon}
  </ActionIcon>
);

function sayCount(hits: number, at: number, full: boolean): string {
  if (hits === 0) return 'Nothing found';
  const all = full ? `the best ${count(hits)} hits` : plural(hits, 'hit');
  return at < 0 ? all : `${count(at + 1)} of ${all}`;
}
