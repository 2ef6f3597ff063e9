import { Button } from '@mantine/core';
import { IconMessages, IconSearchOff } from '@tabler/icons-react';
import { Empty } from '@/ui/messages/empty';

export function NoThreads({ filtered, onReset }: { filtered: boolean; onReset: () => void }) {
  if (filtered) {
    return (
      <Empty icon={IconSearchOff} title="No threads match all filters">
        <Button variant="default" onClick={onReset}>
          Clear the filters
        </Button>
      </Empty>
    );
  }
  return (
    <Empty icon={IconMessages} title="No threads yet">
      A thread appears here with its first message. Post one:
      <pre>{`curl "$SPILLWAY_URL/v1/threads/hello/messages" \\
  -H "authorization: Bearer $SPILLWAY_KEY" \\
  -H "content-type: application/json" \\
  -d '{"messages":[{"role":"user","content":"Hello"}]}'`}</pre>
    </Empty>
  );
}
