import type { Schemas } from '@spillway/client';
import { loadSamples, until, type Api, type StubLlm } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
import { filler, settled, turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';

type Facts = Schemas['SummaryFacts'];

let stub: StubLlm;
let api: Api;
stackWithModel(
  {
    env: {
      SPILLWAY_POLL_MS: '300',
    },
  },
  (on) => ({ stub, api } = on),
);

const talk = (...first: string[]) => turns(20, { first });
const at = (id: string, generation: number, query = '') =>
  `/v1/threads/${id}/summaries/${generation}/facts${query}`;
async function factsOf(id: string, query = '', generation = 1): Promise<Facts> {
  const { status, body } = await api.call<Facts>('GET', at(id, generation, query));
  expect(status).toBe(200);
  return body;
}
const stateOf = (facts: Facts, text: string) => facts.data.find((fact) => fact.text === text);

describe('a summary by a model that forgets', () => {
  // So short that there is no room in it for code to put facts back.
  const policy = {
    context: { context_window: 8_000, trigger_ratio: 0.3 },
    summary: { max_tokens: 128 },
  };
  beforeAll(async () => {
    stub.answer = () => ({
      content: {
        task_overview:
          'Please book HAT271. The customer owns a yellow submarine called Nautilus. It lies in the harbour all year round.',
        current_state: '',
        important_discoveries: '',
        next_steps: '',
        context_to_preserve: '',
      },
    });
    await api.createThread({ id: 'forgets', policy });
    await api.append(
      'forgets',
      ...talk('Please book HAT271 for mia_li_3668.', 'I will.').with(2, {
        role: 'user',
        content: 'The card is certificate_7504069.',
        pinned: true,
      }),
    );
    await settled(api, 'forgets', 1);
  });

  test('what it says is kept, what a pinned message says is carried, the rest is dropped, each with its seq', async () => {
    const facts = await factsOf('forgets');
    expect(stateOf(facts, 'HAT271')).toMatchObject({ state: 'kept', kind: 'id', seqs: [1], count: 1 });
    expect(stateOf(facts, 'certificate_7504069')).toMatchObject({ state: 'carried', seqs: [3] });
    expect(stateOf(facts, 'mia_li_3668')).toMatchObject({ state: 'dropped', seqs: [1], last_seq: 1 });
  });

  test('counts are of the whole range, whatever the filter, and pages hold all of it once', async () => {
    const all = await factsOf('forgets', '?limit=1000');
    const { kept, carried, dropped } = all.total;
    expect(all.data).toHaveLength(kept + carried + dropped);
    expect(all.counts.id!.dropped).toBe(
      all.data.filter(({ kind, state }) => kind === 'id' && state === 'dropped').length,
    );
    const onlyDropped = await factsOf('forgets', '?state=dropped&kind=id');
    expect(onlyDropped.total).toEqual(all.total);
    expect(onlyDropped.data.every(({ kind, state }) => kind === 'id' && state === 'dropped')).toBe(true);
    const pages = await everyPage<Facts>(api, at('forgets', 1, '?limit=1'));
    for (const [i, { statements }] of pages.entries()) expect(statements === null).toBe(i > 0);
    const seen = pages.flatMap(({ data }) => data.map(({ kind, text }) => `${kind} ${text}`));
    expect(seen).toEqual(all.data.map(({ kind, text }) => `${kind} ${text}`));
  });

  test('each statement leads to its messages, and an invention is marked as having none', async () => {
    const { statements } = await factsOf('forgets');
    expect(statements!.slice(0, 2)).toMatchObject([
      { field: 'task_overview', start: 0, basis: 'matched', seqs: [1] },
      { field: 'task_overview', start: 20, basis: 'none', seqs: [] },
    ]);
  });

  test('its own range holds only what its compaction folded in', async () => {
    await api.append('forgets', ...talk('And now book JRB442 please.'));
    await settled(api, 'forgets', 2);
    const own = await factsOf('forgets', '?range=own', 2);
    const chain = await factsOf('forgets', '', 2);
    expect(own.from_seq).toBeGreaterThan(1);
    expect(chain.from_seq).toBe(1);
    expect(stateOf(own, 'mia_li_3668')).toBeUndefined();
    expect(stateOf(own, 'JRB442')).toBeDefined();
    expect(stateOf(chain, 'mia_li_3668')).toMatchObject({ state: 'dropped' });
  });
});

describe('what is no longer to be read', () => {
  const policy = {
    context: { context_window: 8_000, trigger_ratio: 0.3 },
    summary: { provider: 'extractive' },
  };

  test('an erased message gives no facts, and its withdrawn generation is refused', async () => {
    await api.createThread({ id: 'erased', policy });
    await api.append('erased', ...talk('Please book HAT271.', 'Fine.', 'My account is mia_li_3668.'));
    await settled(api, 'erased', 1);
    expect(stateOf(await factsOf('erased', '?limit=1000'), 'mia_li_3668')).toBeDefined();
    await api.call('DELETE', '/v1/threads/erased/messages/3');
    expect(await api.call('GET', at('erased', 1))).toMatchObject({
      status: 409,
      body: { code: 'summary_withdrawn' },
    });
    await settled(api, 'erased', 2);
    const facts = await factsOf('erased', '?limit=1000', 2);
    expect(stateOf(facts, 'HAT271')).toBeDefined();
    expect(JSON.stringify(facts)).not.toContain('mia_li_3668');
  });

  test.each([
    ['a generation that is not there', 99, '', 404],
    ['a kind nobody knows', 1, '?kind=opinion', 422],
    ['a cursor that is not ours', 1, '?cursor=abc', 422],
  ])('%s', async (_what, generation, query, status) => {
    await api.createThread({ id: `bad${status}${generation}${query.length}`, policy });
    const id = `bad${status}${generation}${query.length}`;
    await api.append(id, ...talk('Hello.'));
    await settled(api, id, 1);
    expect((await api.call('GET', at(id, generation, query))).status).toBe(status);
  });
});

describe('real threads, summarized by code', () => {
  const threads = loadSamples()
    .sort((a, b) => b.messages.length - a.messages.length)
    .slice(0, 4);

  test.each(threads.map(({ name, messages }) => [name, messages] as const))(
    'every statement of %s cites messages of its range, and what is said to be kept is in the text',
    async (name, messages) => {
      const id = `real-${name}`.slice(0, 100);
      const context = { context_window: 12_000 };
      await api.createThread({ id, policy: { context, summary: { provider: 'extractive' } } });
      for (let i = 0; i < messages.length; i += 20) await api.append(id, ...messages.slice(i, i + 20));
      const generation = await until('it is compacted', async () => {
        const { compaction } = await api.thread(id);
        return compaction.state === 'idle' && compaction.generation;
      });
      const facts = await factsOf(id, '?limit=1000', generation);
      const summary = (await api.summaries(id)).find((one) => one.generation === generation)!;
      const text = summary.text.replace(/\s+/g, ' ');
      for (const fact of facts.data) {
        expect(fact.seqs.every((seq) => seq >= 1 && seq <= summary.to_seq)).toBe(true);
        expect(fact.seqs.length).toBeGreaterThan(0);
        if (fact.state === 'kept') expect(text).toContain(fact.text.replace(/\s+/g, ' '));
      }
      expect(facts.total.kept).toBeGreaterThan(0);
      expect(facts.statements!.filter(({ basis }) => basis === 'cited').length).toBeGreaterThan(0);
      for (const { field, start, text: shown, seqs } of facts.statements!) {
        const stated = field === 'facts' ? summary.facts : summary.fields[field]!;
        expect(stated.slice(start, start + shown.length)).toBe(shown);
        expect(seqs.every((seq) => seq >= 1 && seq <= summary.to_seq)).toBe(true);
      }
    },
  );
});

test('10,000 messages are checked while other requests are served', { tags: 'long' }, async () => {
  const id = 'long';
  await api.createThread({
    id,
    policy: { context: { context_window: 20_000 }, summary: { provider: 'extractive' } },
  });
  for (let block = 0; block < 20; block++) {
    const messages = Array.from({ length: 500 }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: `Look at src/part${block}/file${i}.ts for ticket-${block}${i}, it has ${1_000 + i} rows. ${filler}`,
    }));
    await api.append(id, ...messages);
  }
  const generation = await until(
    'it is compacted',
    async () => {
      const { compaction } = await api.thread(id);
      return compaction.state === 'idle' && compaction.generation;
    },
    120_000,
  );
  let slowest = 0;
  let done = false;
  const watch = (async () => {
    while (!done) slowest = Math.max(slowest, (await api.call('GET', '/healthz')).ms);
  })();
  const started = performance.now();
  const facts = await factsOf(id, '', generation);
  done = true;
  const took = performance.now() - started;
  await watch;
  console.log(
    `facts of ${facts.to_seq} messages: ${Math.round(took)} ms, slowest /healthz ${Math.round(slowest)} ms`,
  );
  expect(facts.to_seq).toBeGreaterThan(9_000);
  expect(facts.data).toHaveLength(100);
  expect(slowest).toBeLessThan(took / 2);
});
