import { SpillwayError } from '@spillway/engine';
import type { LlmProvider, LlmSettings } from '@spillway/llm';
import { findUpstream, type UpstreamRow } from '@spillway/store';
import { chatModel } from '../chat/chat-model.js';
import { hostOf } from '../outbound/outbound-url.js';
import { post, type Post } from '../outbound/post.js';
import { publicPost } from '../outbound/public-post.js';
import type { Runtime } from '../runtime.js';
import { apiSpokenBy, defaultBaseUrl, type UpstreamProvider } from './provider-apis.js';
import { ownerOf } from './upstream-key.js';

/** Where the model calls of a project go. */
export interface Upstream {
  /** As it is named in traces. */
  provider: LlmProvider;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Null: the provider takes none. */
  key: string | null;
  post: Post;
  /** Returns the model to call: the requested one, else the thread's, else the default. Throws `invalid_request`. */
  modelFor: (asked: string | null, ofThread: string | null) => string | null;
}

/**
 * Returns the upstream for a provider's API: the project's own, else the server's. A key that the caller has at the
 * provider replaces the stored one. Throws `upstream_not_configured` when there is none.
 */
export async function upstreamOf(
  rt: Runtime,
  projectId: string,
  provider: UpstreamProvider,
  callersKey: string | null = null,
): Promise<Upstream> {
  const own = await findUpstream(rt.store, projectId, provider);
  return own ? upstreamOfProject(rt, own, callersKey) : upstreamOfServer(rt, provider, callersKey);
}

/** The project's list bounds the callers' own keys as well. Nothing of the server's is used, its key least of all. */
function upstreamOfProject(rt: Runtime, own: UpstreamRow, callersKey: string | null): Upstream {
  const { provider, baseUrl, models } = own;
  return {
    provider: provider as UpstreamProvider,
    baseUrl,
    key: callersKey ?? openKey(rt, own),
    post: rt.upstreamHosts.has(hostOf(new URL(baseUrl))) ? post : publicPost,
    modelFor: (asked, ofThread) => {
      const model = asked ?? ofThread ?? models[0] ?? null;
      if (model === null) throw refusedModel('Name a model: the thread has none.', 'is missing');
      if (models.length > 0 && !models.includes(model))
        throw refusedModel(
          `The model ${model} is not allowed in this project.`,
          `is not in the models of the project's upstream for ${provider}`,
        );
      return model;
    },
  };
}

function openKey(rt: Runtime, own: UpstreamRow): string | null {
  try {
    return own.key === null ? null : rt.secrets.open(own.key, ownerOf(own));
  } catch (cause) {
    rt.log.error({ err: cause, project: own.projectId }, 'the key of an upstream cannot be opened');
    throw new SpillwayError(
      'upstream_not_configured',
      `The key of the project's upstream for ${own.provider} cannot be decrypted any more. Set it again.`,
    );
  }
}

/** With its own key a caller pays for any model; with the server's, for those that the operator allows. */
function upstreamOfServer(
  { llm, chatModels: listed }: Pick<Runtime, 'llm' | 'chatModels'>,
  provider: UpstreamProvider,
  callersKey: string | null,
): Upstream {
  const configured = speaks(llm, provider) ? llm : null;
  if (!configured && callersKey === null)
    throw new SpillwayError(
      'upstream_not_configured',
      `No model of ${provider} is configured here. An admin of the project names one with PUT /v1/upstreams/${provider}, or the operator with SPILLWAY_LLM_PROVIDER. A proxy also takes your own key beside Spillway-Key.`,
    );
  return {
    provider: configured?.provider ?? provider,
    baseUrl: (configured?.baseUrl ?? defaultBaseUrl[provider]).replace(/\/$/, ''),
    key: callersKey ?? configured?.apiKey ?? null,
    post,
    modelFor: (asked, ofThread) =>
      callersKey === null && configured ? chatModel(asked, ofThread, { llm: configured, listed }) : asked,
  };
}

/** The provider's own API, or another that speaks the same. */
const speaks = (llm: LlmSettings | null, provider: UpstreamProvider): llm is LlmSettings =>
  llm !== null && apiSpokenBy[llm.provider] === provider;

const refusedModel = (detail: string, why: string) =>
  new SpillwayError('invalid_request', detail, [{ path: '/model', message: why }]);
