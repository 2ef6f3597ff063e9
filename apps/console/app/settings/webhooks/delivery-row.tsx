import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClockHour4, type Icon } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { duration } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import { useWebhookActions, type Webhook } from './use-webhooks';
import classes from './webhooks.module.css';

type Delivery = Schemas['WebhookDelivery'];

const looks: Record<Delivery['state'], { icon: Icon; tone: string }> = {
  pending: { icon: IconClockHour4, tone: 'busy' },
  delivered: { icon: IconCircleCheck, tone: 'good' },
  failed: { icon: IconCircleX, tone: 'bad' },
};
const none = <span className="dim">—</span>;

export function DeliveryRow({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { redeliver } = useWebhookActions(webhook);
  const { icon: Shape, tone } = looks[delivery.state];
  return (
    <tr>
      <td>
        <span className="mono" title={delivery.message_id}>
          {delivery.type}
        </span>
      </td>
      <td>
        <span className={classes.state} data-state={tone}>
          <Shape size={14} aria-hidden />
          {delivery.state}
          {delivery.next_attempt_at && delivery.attempts > 0 && (
            <span className={classes.why}>
              again <TimeAgo at={delivery.next_attempt_at} />
            </span>
          )}
        </span>
      </td>
      <td className={`num ${table.right}`}>{delivery.last_status ?? none}</td>
      <td className={`num ${table.right}`}>{delivery.attempts}</td>
      <td className={`num ${table.right}`}>
        {delivery.last_ms === null ? none : duration(delivery.last_ms)}
      </td>
      <td className="dim">
        <TimeAgo at={delivery.created_at} />
      </td>
      <td className={classes.answer}>{delivery.last_error ?? delivery.last_response ?? none}</td>
      <td className={table.right}>
        {delivery.state !== 'pending' && (
          <Button
            variant="default"
            disabled={!webhook.enabled}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(delivery.id)}
          >
            Redeliver
          </Button>
        )}
      </td>
    </tr>
  );
}
