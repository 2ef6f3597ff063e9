'use client';

import { Button, NumberInput, Switch, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconDownload, IconLetterCase, IconRegex } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import classes from './output.module.css';
import type { Search } from './use-grep';

interface Props {
  output: Schemas['Output'];
  search: Search;
  onSearch: (search: Search) => void;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  onGo: (line: number) => void;
}

export function OutputToolbar({ output, search, onSearch, wrap, onWrap, onGo }: Props) {
  return (
    <div className={classes.toolbar}>
      <GrepBox search={search} onSearch={onSearch} />
      <GoToLine lines={output.lines} onGo={onGo} />
      <Switch label="Wrap" checked={wrap} onChange={(event) => onWrap(event.currentTarget.checked)} />
      <Button
        component="a"
        href={`/api/v1/outputs/${output.id}/content`}
        download={`${output.id}.txt`}
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        className={classes.download}
      >
        Download
      </Button>
    </div>
  );
}

function GrepBox({ search, onSearch }: Pick<Props, 'search' | 'onSearch'>) {
  const [pattern, setPattern] = useState(search.pattern);
  return (
    <form
      className={classes.grep}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch({ ...search, pattern });
      }}
    >
      <TextInput
        aria-label="Search with a regular expression"
        placeholder="Search: RE2 pattern, Enter"
        value={pattern}
        maxLength={512}
        spellCheck={false}
        onChange={(event) => {
          setPattern(event.currentTarget.value);
          if (event.currentTarget.value === '') onSearch({ ...search, pattern: '' });
        }}
        leftSection={<IconRegex size={14} aria-hidden />}
        rightSection={
          <Tooltip label="Match case">
            <UnstyledButton
              type="button"
              className={classes.case}
              aria-label="Match case"
              aria-pressed={!search.ignoreCase}
              onClick={() => onSearch({ pattern, ignoreCase: !search.ignoreCase })}
            >
              <IconLetterCase size={15} />
            </UnstyledButton>
          </Tooltip>
        }
        classNames={{ input: classes.monoInput }}
      />
    </form>
  );
}

function GoToLine({ lines, onGo }: { lines: number; onGo: (line: number) => void }) {
  const [line, setLine] = useState<number | string>('');
  return (
    <form
      className={classes.goto}
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof line === 'number') onGo(line);
      }}
    >
      <NumberInput
        aria-label="Go to line"
        placeholder="Go to line"
        value={line}
        onChange={setLine}
        min={1}
        max={lines}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        w={100}
      />
      <Button type="submit" variant="default" disabled={line === ''}>
        Go
      </Button>
    </form>
  );
}
