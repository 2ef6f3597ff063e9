import { IconAlertTriangle, IconCircleCheck, IconCircleOff } from '@tabler/icons-react';
import { TimeAgo } from '@/ui/time-ago';
import type { Webhook } from './use-webhooks';
import classes from './webhooks.module.css';

const reasons = {
  by_hand: 'by hand',
  gone: 'it answered 410',
  failing: 'no delivery succeeded for days',
};

/** A shape, a colour and a text, each sufficient alone. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_reason: reason, failing_since: failing } = webhook;
  if (!enabled) {
    return (
      <span className={classes.state} data-state={reason === 'by_hand' ? 'off' : 'bad'}>
        <IconCircleOff size={14} aria-hidden />
        disabled{reason && <span className={classes.why}>{reasons[reason]}</span>}
      </span>
    );
  }
  if (failing) {
    return (
      <span className={classes.state} data-state="warn">
        <IconAlertTriangle size={14} aria-hidden />
        failing
        <span className={classes.why}>
          since <TimeAgo at={failing} />
        </span>
      </span>
    );
  }
  return (
    <span className={classes.state} data-state="good">
      <IconCircleCheck size={14} aria-hidden />
      enabled
    </span>
  );
}
