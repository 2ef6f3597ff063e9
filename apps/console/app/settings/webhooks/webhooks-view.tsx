'use client';

import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '@spillway/client';
import { Empty } from '@/ui/messages/empty';
import { useQueryString } from '@/ui/lists/query-string';
import { CreateWebhook } from './create-webhook';
import { DeliveryTable } from './delivery-table';
import { useWebhooks } from './use-webhooks';
import { WebhookTable } from './webhook-table';
import classes from './webhooks.module.css';

/** Webhooks and the state of their deliveries. */
export function WebhooksView({ first }: { first: Schemas['WebhookList'] }) {
  const list = useWebhooks(first);
  const [params, change] = useQueryString();
  const [creating, setCreating] = useState(false);
  const webhooks = list.data.data;
  const asked = params.get('webhook');
  const selected = webhooks.find(({ id }) => id === asked) ?? webhooks[0];
  return (
    <section aria-label="Webhooks">
      <div className={classes.title}>
        <p className={classes.intro}>Events are sent to these URLs, signed, as they happen.</p>
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setCreating(true)}>
          Add webhook
        </Button>
      </div>
      {list.isError && (
        <p className={classes.stale} role="status">
          The last refresh failed. Retrying.
        </p>
      )}
      {selected === undefined ? (
        <Empty icon={IconWebhook} title="No webhooks yet">
          Add one to get events when a context overflows, a compaction ends or an output is deleted. A failed
          delivery is retried for two days. Signatures follow Standard Webhooks.
        </Empty>
      ) : (
        <>
          <WebhookTable
            webhooks={webhooks}
            selected={selected.id}
            onSelect={(id) => change({ webhook: id, state: null })}
          />
          <DeliveryTable key={selected.id} webhook={selected} />
        </>
      )}
      <CreateWebhook
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={(id) => change({ webhook: id, state: null })}
      />
    </section>
  );
}
