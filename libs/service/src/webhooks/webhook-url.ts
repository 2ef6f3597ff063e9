import { SpillwayError } from '@spillway/engine';
import { outboundUrl } from '../outbound/outbound-url.js';

/**
 * The normalized URL of a webhook. Throws `webhook_url_refused` for a URL that is not https, has credentials or leads
 * into a private network, unless the operator allows its host.
 */
export const webhookUrl = async (text: string, hosts: ReadonlySet<string>): Promise<string> =>
  (await outboundUrl(text, { hosts, variable: 'SPILLWAY_WEBHOOK_HOSTS' }, refused)).href;

const refused = (why: string) =>
  new SpillwayError('webhook_url_refused', 'Events cannot be sent to this URL.', [
    { path: '/url', message: why },
  ]);
