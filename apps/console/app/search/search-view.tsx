'use client';

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch, IconSearchOff } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { exactTime } from '@/ui/exact-time';
import { LoadMore } from '@/ui/lists/load-more';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { Empty } from '@/ui/messages/empty';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { Page, PageTitle } from '@/ui/page';
import { count, plural } from '@/ui/quantity';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';
import { searchWords } from '@/ui/text/search-words';
import { FoundThreads } from './found-threads';
import classes from './search.module.css';
import { roles, useProjectSearch, type ProjectSearch } from './use-project-search';

/** In which threads something was said. */
export function SearchView() {
  const search = useProjectSearch();
  const words = useMemo(() => searchWords(search.q), [search.q]);
  return (
    <Page
      head={
        <>
          <PageTitle
            title="Search messages"
            about="Threads in which one message, or a call with its result, has all of the words."
          />
          <SearchForm search={search} />
        </>
      }
    >
      {search.q.trim() === '' ? (
        <Empty icon={IconSearch} title="What was said?">
          <p>
            Words in any order, &quot;phrases&quot; in quotes, or an identifier such as an order number.
            Summarized messages are found too. What is in offloaded outputs is searched within a thread: open
            it and press /.
          </p>
        </Empty>
      ) : search.isPending ? (
        <RowsLoading rows={8} />
      ) : search.isError && search.found.length === 0 ? (
        <ProblemPanel problem={problemOf(search.error)} onRetry={() => void search.refetch()} />
      ) : (
        <>
          <FoundThreads found={search.found} q={search.q} words={words} />
          <Progress search={search} />
        </>
      )}
    </Page>
  );
}

function SearchForm({ search }: { search: ProjectSearch }) {
  const { q, role, ask } = search;
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  useShortcuts('Search', [{ keys: '/', does: 'Search messages', run: () => box.current?.focus() }]);
  return (
    <search>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          ask({ q: text.trim() });
        }}
      >
        <TextInput
          ref={box}
          className={classes.field}
          aria-label="Search the messages of all threads"
          placeholder='Words, "phrases" or an identifier'
          value={text}
          maxLength={1000}
          spellCheck={false}
          autoFocus={q === ''}
          leftSection={<IconSearch size={14} aria-hidden />}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <NativeSelect
          aria-label="Written by"
          value={role ?? ''}
          onChange={(event) => ask({ role: roles.find((one) => one === event.currentTarget.value) ?? null })}
          data={[{ value: '', label: 'Any role' }, ...roles]}
        />
        <Button type="submit" variant="default" loading={search.isFetching && !search.isFetchingNextPage}>
          Search
        </Button>
      </form>
    </search>
  );
}

/** How far the search came, and how it goes on. */
function Progress({ search }: { search: ProjectSearch }) {
  const { found, searched, hasNextPage } = search;
  const { threads, createdAfter } = searched;
  if (found.length === 0 && !hasNextPage)
    return (
      <Empty icon={IconSearchOff} title="Nothing was found">
        <p>
          None of {plural(threads, 'thread')} has all of these words in one message. Fewer words, or a part of
          an identifier, find more.
        </p>
      </Empty>
    );
  return (
    <div className={classes.end} role="status">
      <p>
        {found.length === 0 ? 'None' : count(found.length)} of {createdAfter === null ? 'all ' : 'the '}
        {plural(threads, 'thread')}
        {createdAfter !== null && ` created since ${exactTime(createdAfter)}`}
        {hasNextPage && '. Older ones are not searched yet'}.
      </p>
      <LoadMore list={search} label="Search older threads" m={0} />
    </div>
  );
}
