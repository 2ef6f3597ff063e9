'use client';

import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { filtersOfText, filtersText, type ThreadFilters } from './thread-filters';
import classes from './views.module.css';
import { builtInViews, savedViews, type View } from './views';

interface Props {
  filters: ThreadFilters;
  onView: (filters: ThreadFilters) => void;
}

/** Saved lists: built-in ones, and the user's, which this browser stores. */
export function ViewTabs({ filters, onView }: Props) {
  const saved = savedViews.use();
  const text = filtersText(filters);
  const known = [...builtInViews, ...saved].some((view) => view.query === text);
  const tab = (view: View) => (
    <a
      href={`?${view.query}`}
      className={classes.view}
      aria-current={view.query === text ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onView(filtersOfText(view.query));
      }}
    >
      {view.name}
    </a>
  );
  return (
    <nav className={classes.views} aria-label="Views">
      {builtInViews.map((view) => (
        <span key={view.name} className={classes.item}>
          {tab(view)}
        </span>
      ))}
      {saved.map((view) => (
        <span key={view.name} className={classes.item}>
          {tab(view)}
          <ActionIcon
            size="xs"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => savedViews.write(saved.filter((other) => other !== view))}
          >
            <IconX size={12} />
          </ActionIcon>
        </span>
      ))}
      {!known && <SaveView query={text} taken={[...builtInViews, ...saved].map(({ name }) => name)} />}
    </nav>
  );
}

function SaveView({ query, taken }: { query: string; taken: string[] }) {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const newName = name.trim();
  const problem = taken.includes(newName) ? 'A view with this name exists.' : null;
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" withArrow shadow="md">
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconBookmark size={13} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          Save view
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes.save}
          onSubmit={(event) => {
            event.preventDefault();
            if (newName === '' || problem) return;
            savedViews.write([...savedViews.read(), { name: newName, query }]);
            setOpened(false);
          }}
        >
          <TextInput
            label="Name of the view"
            description="Its filters and order are kept in this browser."
            value={name}
            maxLength={40}
            error={problem}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={newName === '' || problem !== null}>
            Save
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
