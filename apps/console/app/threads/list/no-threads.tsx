import { Button } from '@mantine/core';
import { IconMessages, IconSearchOff } from '@tabler/icons-react';
import { CurlStep } from '@/app/overview/first-run/curl-step';
import { useApiAddress } from '@/ui/frame/api-address';
import { Empty } from '@/ui/messages/empty';

interface Props {
  filtered: boolean;
  /** Whether words are searched for. */
  searched: boolean;
  onReset: () => void;
}

export function NoThreads({ filtered, searched, onReset }: Props) {
  const apiUrl = useApiAddress();
  if (filtered) {
    return (
      <Empty icon={IconSearchOff} title="No threads match all filters">
        {searched && (
          <p>
            This search finds ids and values of metadata. What messages and outputs say is searched within a
            thread: open it and press /.
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
