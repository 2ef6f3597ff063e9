import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ShownOnce } from '@/ui/access/shown-once';

interface Props {
  secret: string;
  onDone: () => void;
  /** What to do with it. */
  children: ReactNode;
}

/** A secret that was just made. Nobody can see it again. */
export function NewSecret({ secret, onDone, children }: Props) {
  return (
    <>
      {children}
      <ShownOnce secret={secret} label="Copy the secret" />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </>
  );
}
