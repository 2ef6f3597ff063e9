import { Switch, UnstyledButton } from '@mantine/core';
import { plural } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import { RemoveWebhook } from './remove-webhook';
import { RotateSecret } from './rotate-secret';
import { TestButton } from './test-button';
import { useWebhookActions, type Webhook } from './use-webhooks';
import { WebhookState } from './webhook-state';
import classes from './webhooks.module.css';

interface Props {
  webhooks: Webhook[];
  selected: string;
  onSelect: (id: string) => void;
}

export function WebhookTable({ webhooks, selected, onSelect }: Props) {
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Webhooks">
      <table className={table.table}>
        <thead>
          <tr>
            <th>URL</th>
            <th>State</th>
            <th>Events</th>
            <th>Created</th>
            <th>Enabled</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              selected={webhook.id === selected}
              onSelect={() => onSelect(webhook.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  webhook: Webhook;
  selected: boolean;
  onSelect: () => void;
}

function WebhookRow({ webhook, selected, onSelect }: RowProps) {
  const { enable } = useWebhookActions(webhook);
  const { types } = webhook;
  return (
    <tr className={classes.row} data-selected={selected}>
      <td>
        <UnstyledButton
          className={`mono ${classes.url}`}
          onClick={onSelect}
          aria-pressed={selected}
          title={webhook.url}
        >
          {webhook.url}
        </UnstyledButton>
        {webhook.description && <span className={classes.description}>{webhook.description}</span>}
      </td>
      <td>
        <WebhookState webhook={webhook} />
        {webhook.previous_secret_until !== null && (
          <span className={classes.overlap}>
            old secret ends <TimeAgo at={webhook.previous_secret_until} />
          </span>
        )}
      </td>
      <td className="dim" title={types.join(', ')}>
        {types.length === 0 ? 'all' : types.length === 1 ? types[0] : plural(types.length, 'type')}
      </td>
      <td className="dim">
        <TimeAgo at={webhook.created_at} />
      </td>
      <td>
        <Switch
          checked={webhook.enabled}
          disabled={enable.isPending}
          aria-label={`${webhook.url} enabled`}
          onChange={(event) => enable.mutate(event.currentTarget.checked)}
        />
      </td>
      <td className={table.right}>
        <span className={classes.actions}>
          <TestButton webhook={webhook} onSent={onSelect} />
          <RotateSecret webhook={webhook} />
          <RemoveWebhook webhook={webhook} />
        </span>
      </td>
    </tr>
  );
}
