'use client';

import { useMantineColorScheme } from '@mantine/core';
import {
  IconBolt,
  IconKeyboard,
  IconLink,
  IconLogout,
  IconMoon,
  IconSun,
  type Icon,
} from '@tabler/icons-react';
import { signOut } from '../access/session-end';
import { copyLink } from '../copy-link';
import { usePageCommands } from './page-commands';

export interface Command {
  title: string;
  icon: Icon;
  run: () => void;
}

/** The palette's commands other than navigation. */
export function useCommands(onShortcuts: () => void): Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const dark = () => document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
  const ofPage = usePageCommands().map((command) => ({ ...command, icon: IconBolt }));
  return [
    ...ofPage,
    { title: 'Light theme', icon: IconSun, run: () => setColorScheme('light') },
    { title: 'Dark theme', icon: IconMoon, run: () => setColorScheme('dark') },
    { title: 'Toggle theme', icon: IconMoon, run: () => setColorScheme(dark() ? 'light' : 'dark') },
    { title: 'Copy link to this page', icon: IconLink, run: copyPageLink },
    { title: 'Keyboard shortcuts', icon: IconKeyboard, run: onShortcuts },
    { title: 'Sign out', icon: IconLogout, run: () => void signOut() },
  ];
}

function copyPageLink(): void {
  const { href, pathname, search } = window.location;
  void copyLink(href, pathname + search);
}
