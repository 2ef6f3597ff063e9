import { Button } from '@mantine/core';
import { IconMessages, IconSearchOff } from '@tabler/icons-react';
import Link from 'next/link';
import { CurlStep } from '@/app/overview/first-run/curl-step';
import { useApiAddress } from '@/ui/frame/api-address';
import { Empty } from '@/ui/messages/empty';

interface Props {
  filtered: boolean;
  /** What is searched for; empty without a search. */
  searched: string;
  onReset: () => void;
}

export function NoThreads({ filtered, searched, onReset }: Props) {
  const apiUrl = useApiAddress();
  if (filtered) {
    return (
      <Empty icon={IconSearchOff} title="No threads match all filters">
        {searched !== '' && (
          <p>
            This search finds ids and values of metadata.{' '}
            <Link href={`/search?q=${encodeURIComponent(searched)}`}>Search all messages for it</Link>.
          </p>
        )}
        <Button variant="default" onClick={onReset}>
          Clear the filters
        </Button>
      </Empty>
    );
  }
  return (
    <Empty icon={IconMessages} title="No threads yet">
      <p>A thread appears here with its first message. Post one:</p>
      <CurlStep apiUrl={apiUrl} />
    </Empty>
  );
}
