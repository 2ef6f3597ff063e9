'use client';

import { Loader } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import { IconArrowRight, IconFileText, IconHistory, IconMessages, IconSearch } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { threadPath } from '@/app/threads/thread-path';
import { plural } from '../quantity';
import { isMeant, pages, subpages } from '../frame/pages';
import { jumpsOf } from './jumps';
import classes from './palette.module.css';
import { recentThreads } from './recent-threads';
import { useCommands } from './use-commands';
import { useFoundThreads } from './use-found-threads';

interface Item {
  key: string;
  title: string;
  about?: string;
  icon: ReactNode;
  run: () => void;
}

/** Shorter texts are in nearly every message. */
const minSearched = 3;

/** Navigation and global actions. Cmd-K or Ctrl-K opens it, also from fields. */
export function Palette({ onShortcuts }: { onShortcuts: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState('');
  const text = query.trim();
  const found = useFoundThreads(text);
  const recent = recentThreads.use();
  const commands = useCommands(onShortcuts);
  const go = (href: string) => () => router.push(href);
  const named = (label: string) => label.toLowerCase().includes(text.toLowerCase());
  const thread = (id: string, about?: string): Item => ({
    key: id,
    title: id,
    about,
    icon: about ? <IconMessages size={16} aria-hidden /> : <IconHistory size={16} aria-hidden />,
    run: go(threadPath(id)),
  });
  const groups: { label: string; items: Item[] }[] = [
    {
      label: 'Go to',
      items: jumpsOf(text).map(({ href, title, about }) => ({
        key: href,
        title,
        about,
        icon: href.startsWith('/outputs') ? (
          <IconFileText size={16} aria-hidden />
        ) : (
          <IconArrowRight size={16} aria-hidden />
        ),
        run: go(href),
      })),
    },
    {
      label: 'Pages',
      items: [
        ...pages
          .filter(({ label }) => named(label))
          .map(({ href, label, icon: Shape }) => ({
            key: href,
            title: label,
            icon: <Shape size={16} aria-hidden />,
            run: go(href),
          })),
        ...subpages
          .filter((page) => text !== '' && isMeant(text, page))
          .map(({ href, label }) => ({
            key: href,
            title: label,
            icon: <IconArrowRight size={16} aria-hidden />,
            run: go(href),
          })),
      ],
    },
    {
      label: 'Threads',
      items: found.threads.map((one) =>
        thread(one.id, `${one.compaction.state} · ${plural(one.last_seq, 'message')}`),
      ),
    },
    { label: 'Recent threads', items: text === '' ? recent.map((id) => thread(id)) : [] },
    {
      label: 'Actions',
      items: commands
        .filter(({ title }) => named(title))
        .map(({ title, icon: Shape, run }) => ({
          key: title,
          title,
          icon: <Shape size={16} aria-hidden />,
          run,
        })),
    },
    {
      label: 'Messages',
      items:
        // While threads are asked for, Enter would open this in place of what is found.
        text.length < minSearched || found.asking
          ? []
          : [
              {
                key: 'search-messages',
                title: `Search all messages for “${text}”`,
                icon: <IconSearch size={16} aria-hidden />,
                run: go(`/search?q=${encodeURIComponent(text)}`),
              },
            ],
    },
  ].filter(({ items }) => items.length > 0);
  const list = useRef<HTMLDivElement>(null);
  const offered = groups.flatMap(({ items }) => items.map(({ key }) => key)).join();
  // Spotlight marks its choice on the element and reads it at Enter. Results that arrive later have no mark.
  useEffect(() => {
    const actions = list.current?.querySelectorAll('[data-action]');
    if (actions && !list.current?.querySelector('[data-selected]'))
      actions[0]?.setAttribute('data-selected', 'true');
  }, [offered]);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      // Without a transition Spotlight is not notified when it closes, and would keep the text.
      onSpotlightClose={() => setQuery('')}
      shortcut="mod + K"
      tagsToIgnore={[]}
      scrollable
      maxHeight="min(420px, 70dvh)"
      classNames={{ content: classes.content, header: classes.header }}
      title="Go to or do"
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.3 }}
    >
      <Spotlight.Search
        aria-label="Go to a page, a thread, an output or a message"
        placeholder="Page, thread id, out_… or thread-id#412"
        leftSection={found.asking ? <Loader size={14} /> : <IconSearch size={16} aria-hidden />}
      />
      <Spotlight.ActionsList ref={list}>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map(({ key, title, about, icon, run }) => (
              <Spotlight.Action
                key={key}
                label={title}
                description={about}
                leftSection={icon}
                onClick={run}
                classNames={{
                  action: classes.action,
                  actionLabel: classes.label,
                  actionDescription: classes.about,
                }}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && (
          <Spotlight.Empty>
            {found.asking ? 'Searching' : 'No results. Try part of a thread ID.'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
