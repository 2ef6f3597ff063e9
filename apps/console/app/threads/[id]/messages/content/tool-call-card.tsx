import { IconClockPause, IconTool } from '@tabler/icons-react';
import { ShownText } from '@/ui/text/shown-text';
import { ClipText } from './clip-text';
import { formatJson } from './format-json';
import type { ShownToolCall } from './message-content';
import classes from './message-body.module.css';
import type { ToolResult } from './tool-ties';

interface Props {
  call: ShownToolCall;
  /** Its result; absent where results are not loaded. */
  result?: ToolResult;
  words?: readonly string[];
  onGo?: (seq: number) => void;
}

export function ToolCallCard({ call, result = 'unknown', words, onGo }: Props) {
  const args = formatJson(call.arguments) ?? call.arguments;
  return (
    <div className={classes.call} data-call={call.id}>
      <div className={classes.callHead}>
        <IconTool size={13} aria-hidden />
        <code>{call.name ? <ShownText text={call.name} /> : 'unnamed tool'}</code>
        {typeof result === 'number' && (
          <button type="button" className={classes.jump} onClick={() => onGo?.(result)}>
            result at {result}
          </button>
        )}
        {result === 'open' && (
          <span className={classes.open}>
            <IconClockPause size={13} aria-hidden /> open: no result yet
          </span>
        )}
      </div>
      {args !== '' && args !== '{}' && (
        <ClipText id={call.id} text={args} mono lines={10} {...(words ? { words } : {})} />
      )}
    </div>
  );
}
