'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';

export type Webhook = Schemas['Webhook'];

export const webhooksKey = ['webhooks'];

/** There are no events about webhooks: the page polls while it is visible. */
export const useWebhooks = (first: Schemas['WebhookList']) =>
  useQuery({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/webhooks', { signal })),
    initialData: first,
    initialDataUpdatedAt: arrivedAt(first),
    refetchInterval: 5_000,
  });

/** Actions on a webhook. Each reports its result and refreshes the lists. */
export function useWebhookActions({ id, url }: Webhook) {
  const queries = useQueryClient();
  const params = { path: { id } };
  const settled = {
    onError: notifyProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksKey }),
  };
  const test = useMutation({
    mutationFn: () => dataOf(browserApi.POST('/v1/webhooks/{id}/test', { params })),
    onSuccess: () => notifyDone('Test sent', `An event of type webhook.test is being sent to ${url}.`),
    ...settled,
  });
  const enable = useMutation({
    mutationFn: (enabled: boolean) =>
      dataOf(browserApi.PATCH('/v1/webhooks/{id}', { params, body: { enabled } })),
    onSuccess: ({ enabled }) =>
      notifyDone(
        enabled ? 'Enabled' : 'Disabled',
        enabled ? 'It gets events from now on.' : 'Nothing is sent to it.',
      ),
    ...settled,
  });
  const redeliver = useMutation({
    mutationFn: (deliveryId: string) =>
      dataOf(
        browserApi.POST('/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
          params: { path: { id, delivery_id: deliveryId } },
        }),
      ),
    onSuccess: ({ type }) => notifyDone('Sending again', `${type} is on its way.`),
    ...settled,
  });
  return { test, enable, redeliver };
}
