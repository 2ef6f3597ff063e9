'use client';

import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface PageCommand {
  title: string;
  run: () => void;
}

let commands: readonly (() => PageCommand)[] = [];
const none: readonly (() => PageCommand)[] = [];
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Offers an action of a page in the palette while the page is shown. */
export function usePageCommand(title: string, run: () => void): void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  useEffect(() => {
    const command = () => ({ title, run: () => newest.current() });
    commands = [...commands, command];
    tell();
    return () => {
      commands = commands.filter((one) => one !== command);
      tell();
    };
  }, [title]);
}

/** The actions of the page that is shown. */
export function usePageCommands(): PageCommand[] {
  const offered = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => commands,
    () => none,
  );
  return offered.map((command) => command());
}
