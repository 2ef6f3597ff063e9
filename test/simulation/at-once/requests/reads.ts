import type { Schemas } from '@spillway/client';
import type { Reply } from '../serial-order.js';
import { contentOf, headOf, stateOf, type ModelThread } from '../thread-model.js';
import { bodyOf, isBusy, isOk, sameList, when, type Client, type Request } from './request.js';
import { shows, showsThread } from './shown-context.js';

const get = (path: string, is: (now: ModelThread, reply: Reply) => boolean): Request => ({
  method: 'GET',
  path,
  step: (now, reply) => when(isBusy(reply) || (isOk(reply) && is(now, reply)), now),
});

export const readContext = (client: Client): Request =>
  get('/context', (now, reply) => showsThread(now, bodyOf<Schemas['Context']>(reply), client));

export const readThread = ({ strict }: Client): Request =>
  get('', (now, reply) => {
    const { last_seq, recorded_seq, metadata, compaction } = bodyOf<Schemas['Thread']>(reply);
    const isKnown = !strict || compaction.generation === now.active;
    const isSame = last_seq === headOf(now) && recorded_seq === now.next - 1;
    return isSame && isKnown && (metadata.label ?? '') === now.metadata;
  });

export const readMessages = (): Request =>
  get('/messages?limit=500&view=original', (now, reply) => {
    const { data } = bodyOf<Schemas['MessageList']>(reply);
    return (
      data.length === now.messages.length &&
      data.every((one, i) => {
        const known = now.messages[i]!;
        const isSame = one.seq === known.seq && (one.rewound_before ?? 0) === known.rewoundBefore;
        if ((one.hold ?? null) !== known.hold) return false;
        return isSame && (one.message as { content: string }).content === contentOf(known);
      })
    );
  });

export const readSummaries = ({ strict }: Client): Request =>
  get('/summaries?limit=1000', (now, reply) => {
    const { data } = bodyOf<Schemas['SummaryList']>(reply);
    const active = data.filter((one) => one.active).map(({ generation }) => generation);
    if (!strict) return active.length <= 1;
    const isListed = sameList(
      data.map(({ generation, state }) => `${generation} ${state}`),
      now.generations.map((one) => `${one.generation} ${stateOf(now, one)}`).reverse(),
    );
    return isListed && (active[0] ?? 0) === now.active && active.length <= 1;
  });

export const readInstructions = (): Request =>
  get('/instructions?limit=500', (now, reply) => {
    const { data } = bodyOf<Schemas['InstructionList']>(reply);
    const added = data.filter(({ source }) => source === 'added');
    // One that a newer one retired is there beside itself when it is added again.
    const active = added.filter(({ state }) => state === 'active').map(({ text }) => text);
    const states = (of: readonly { id: string; isDismissed: boolean }[]): string[] =>
      of.map(({ id, isDismissed }) => `${id} ${isDismissed}`).sort();
    const shownNow = added.map(({ id, state }) => ({ id, isDismissed: state === 'dismissed' }));
    return sameList(states(shownNow), states(now.instructions)) && new Set(active).size === active.length;
  });

/** What a fork shows. */
export const readFork = (fork: string): Request => ({
  ...get('/context', (now, reply) => {
    const { messages, summary, degraded } = bodyOf<Schemas['Context']>(reply);
    return shows(now.forks.get(fork)!, messages, summary?.to_seq ?? 0, !degraded);
  }),
  of: fork,
});
