'use client';

import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './nav.module.css';

const schemes = {
  auto: { next: 'light', icon: IconDeviceDesktop, label: 'System theme' },
  light: { next: 'dark', icon: IconSun, label: 'Light theme' },
  dark: { next: 'auto', icon: IconMoon, label: 'Dark theme' },
} as const;

export function ThemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [mounted, setMounted] = useState(false);
  // The server does not know the browser's setting; rendering it before hydration would not match.
  useEffect(() => setMounted(true), []);
  const { next, icon: Shape, label } = schemes[mounted ? colorScheme : 'auto'];
  return (
    <UnstyledButton
      className={classes.page}
      onClick={() => setColorScheme(next)}
      aria-label={`${label}; change it`}
      title={label}
    >
      <Shape size={17} stroke={1.7} aria-hidden />
      <span className={classes.label}>{label}</span>
    </UnstyledButton>
  );
}
