'use client';

import { Button, Switch, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconDownload, IconLetterCase, IconRegex } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useEffect, useState, type Ref } from 'react';
import classes from './output.module.css';
import { HoldOutput } from './changes/hold-output';
import { PinButton } from './changes/pin-button';
import type { Search } from './use-grep';

interface Props {
  /** Of the search box. */
  ref: Ref<HTMLInputElement>;
  output: Schemas['Output'];
  search: Search;
  onSearch: (search: Search) => void;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  outline: boolean;
  onOutline: (shown: boolean) => void;
  onGo: (line: number) => void;
}

export function OutputToolbar(props: Props) {
  const { ref, output, search, onSearch, wrap, onWrap, outline, onOutline, onGo } = props;
  return (
    <div className={classes.toolbar}>
      <GrepBox ref={ref} search={search} onSearch={onSearch} onGo={onGo} />
      <Switch
        label="Outline"
        checked={outline}
        onChange={(event) => onOutline(event.currentTarget.checked)}
      />
      <Switch label="Wrap" checked={wrap} onChange={(event) => onWrap(event.currentTarget.checked)} />
      <span className={classes.room} />
      <HoldOutput output={output} />
      <PinButton output={output} />
      <Button
        component="a"
        href={`/api/v1/outputs/${output.id}/content`}
        download={`${output.id}.txt`}
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
      >
        Download
      </Button>
    </div>
  );
}

/** `:4120` goes to a line; all else is a pattern. */
function GrepBox({ ref, search, onSearch, onGo }: Pick<Props, 'ref' | 'search' | 'onSearch' | 'onGo'>) {
  const [pattern, setPattern] = useState(search.pattern);
  useEffect(() => setPattern(search.pattern), [search.pattern]);
  const submit = () => {
    const line = /^:(\d{1,10})$/.exec(pattern)?.[1];
    if (line === undefined) return onSearch({ ...search, pattern });
    setPattern(search.pattern);
    onGo(Number(line));
  };
  return (
    <form
      className={classes.grep}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
        (event.currentTarget.elements[0] as HTMLElement | undefined)?.blur();
      }}
    >
      <TextInput
        ref={ref}
        aria-label="Search with a regular expression, or go to a line with a colon and its number"
        placeholder="RE2 pattern, or :4120 for a line"
        value={pattern}
        maxLength={512}
        spellCheck={false}
        onChange={(event) => {
          setPattern(event.currentTarget.value);
          if (event.currentTarget.value === '') onSearch({ ...search, pattern: '' });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        leftSection={<IconRegex size={14} aria-hidden />}
        classNames={{ root: classes.pattern, input: classes.monoInput }}
      />
      <Tooltip label="Match case">
        <UnstyledButton
          type="button"
          className={classes.case}
          aria-label="Match case"
          aria-pressed={!search.ignoreCase}
          onClick={() => onSearch({ pattern, ignoreCase: !search.ignoreCase })}
        >
          <IconLetterCase size={15} aria-hidden />
        </UnstyledButton>
      </Tooltip>
    </form>
  );
}
