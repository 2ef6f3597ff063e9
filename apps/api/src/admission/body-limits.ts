import { routes, type Route } from '@spillway/contracts';
import type { FastifyInstance } from 'fastify';
import { asContract } from '../auth/caller.js';

const mebibyte = 1024 * 1024;

/** Maximum bytes of a request body. Larger outputs are uploaded as streams. */
export const bodyLimit = 8 * mebibyte;
/** The same of a proxied request, which has the whole history with its images: as much as Anthropic takes. */
const proxiedBodyLimit = 32 * mebibyte;

export const bodyLimitOf = ({ proxy }: Pick<Route, 'proxy'>): number =>
  proxy ? proxiedBodyLimit : bodyLimit;

/** Gives the routes that take larger bodies their own limit. To be called before they are declared. */
export function installBodyLimits(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (declared) => {
    const route = routes[asContract(`${String(declared.method)} ${declared.url}`)];
    if (route?.proxy) declared.bodyLimit = proxiedBodyLimit;
  });
}
