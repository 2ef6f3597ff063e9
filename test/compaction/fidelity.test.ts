import type { Schemas } from '@spillway/client';
import { plainFields, until, type Api, type StubLlm } from '@spillway/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';

let stub: StubLlm;
let api: Api;
stackWithModel({ env: { SPILLWAY_POLL_MS: '300' } }, (on) => ({ stub, api } = on));
beforeEach(() => {
  stub.answer = (call) => ({ content: plainFields(call) });
});

/** The trigger is 2,400 tokens. No fold is prepared, so that a test says when there is one. */
const context = { context_window: 8_000, response_reserve: 0, trigger_ratio: 0.3, prepare_ratio: null };
const codes = Array.from({ length: 8 }, (_, i) => `ORDER_${7740 + i}`);
const user = (content: string) => ({ role: 'user', content });
const agent = (content: string) => ({ role: 'assistant', content });
const filler = (i: number) => (i % 2 ? agent : user)(`${i}. ${'The cat sat on the mat. '.repeat(26)}`);

/** A thread whose first messages say a rule and eight order numbers. */
async function create(id: string, summary: object): Promise<void> {
  await api.createThread({ id, policy: { context, summary } });
  await api.append(id, user(`Hello from ${id}.`), agent(`I look at ${codes.join(', ')}.`));
  await api.append(id, user('From now on answer in German.'));
}
/** Appends until the thread is due, and waits for its fold. */
async function fold(id: string): Promise<void> {
  const before = (await api.thread(id)).compaction.generation;
  await api.append(id, ...Array.from({ length: 16 }, (_, i) => filler(i)));
  await until(`${id} is folded`, async () => {
    const { generation, state } = (await api.thread(id)).compaction;
    return generation > before && state === 'idle';
  });
}
/** Model calls for a thread. */
const callsOf = (id: string) => stub.calls.filter(({ prompt }) => prompt.includes(`Hello from ${id}.`));

const firstOf = async (id: string) => (await api.summaries(id)).find(({ generation }) => generation === 1);

async function fidelityOf(id: string, generation: number) {
  const { body } = await api.call('GET', `/v1/threads/${id}/summaries/${generation}`);
  return (body as Schemas['Summary']).fidelity;
}

describe('the fidelity of a generation', () => {
  test('says what a summary kept, what it lost with the messages that say it, and what the agent needed since', async () => {
    await create('scored', { max_tokens: 150 });
    await fold('scored');
    const made = (await fidelityOf('scored', 1))!;
    expect(made).toMatchObject({ instructions_kept: 1, instructions_total: 1, facts_total: 8, needs: 0 });
    expect(made.facts_kept).toBeGreaterThan(0);
    expect(made.facts_kept).toBeLessThan(8);
    expect(made.score).toBeCloseTo(made.facts_kept / 8);
    expect(made.lost!.facts).toHaveLength(8 - made.facts_kept);
    const lost = made.lost!.facts[0]!;
    expect(lost.seq).toBe(2);
    expect(codes).toContain(lost.value);

    const kept = codes.find((code) => !made.lost!.facts.some(({ value }) => value === code))!;
    await api.append('scored', agent(`I refund ${lost.value} and ${kept}.`));
    const seq = (await api.thread('scored')).last_seq;
    const used = (await fidelityOf('scored', 1))!;
    expect(used).toMatchObject({ needs: 2, need_recall: 0.5, needs_through_seq: seq });
    expect(used.lost!.needs).toEqual([{ value: lost.value, label: '', seq: 2, used_seq: seq }]);

    // The next fold writes it down, so that a list has it too.
    expect((await api.summaries('scored'))[0]!.fidelity).toMatchObject({ needs: null });
    await fold('scored');
    const first = await firstOf('scored');
    expect(first!.fidelity).toMatchObject({ needs: 2, need_recall: 0.5, facts_kept: made.facts_kept });
    expect(first!.fidelity!.lost).toBeUndefined();
  });

  test('lists lost addresses that came with characters which Postgres cannot store, and the fold is made', async () => {
    await api.createThread({ id: 'nul', policy: { context, summary: { max_tokens: 150 } } });
    const links = Array.from({ length: 20 }, (_, i) => `https://example.com/orders/${i}\0x\ud800`);
    await api.append('nul', user('Look at them.'), agent(links.join(' and ')));
    await fold('nul');
    const { facts } = (await fidelityOf('nul', 1))!.lost!;
    expect(facts.length).toBeGreaterThan(5);
    for (const { value } of facts) expect(value).toMatch(/^https:\/\/example\.com\/orders\/\d+$/);
  });

  test('is in the event of the fold, in numbers', async () => {
    const { body } = await api.call('GET', '/v1/threads/scored/events');
    const event = (body as Schemas['EventList']).data.find(
      ({ type, data }) => type === 'context.summarized' && data.generation === 1,
    );
    const first = await firstOf('scored');
    expect(event!.data).toMatchObject({
      instructions_kept: 1,
      instructions_total: 1,
      facts_kept: first!.fidelity!.facts_kept,
      facts_total: 8,
    });
  });

  test('goes with the text of a message that is erased', async () => {
    await api.call('DELETE', '/v1/threads/scored/messages/2');
    expect(await fidelityOf('scored', 1)).toBeNull();
    expect(await fidelityOf('scored', 2)).toBeNull();
  });
});

describe('below min_fidelity', () => {
  const prose = (call: Parameters<typeof plainFields>[0], discoveries: string) => ({
    content: { ...plainFields(call), current_state: 'All is well.', important_discoveries: discoveries },
  });

  test('a model makes the summary once more, told what it lost; without a minimum it is asked once', async () => {
    stub.answer = (call) =>
      prose(call, call.prompt.includes('Code compared') ? codes.join(' ') : 'They have been looked at.');
    await create('again', { max_tokens: 160, min_fidelity: 0.9 });
    await fold('again');
    expect(callsOf('again')).toHaveLength(2);
    expect(callsOf('again')[1]!.prompt).toContain('[2]');
    expect(await fidelityOf('again', 1)).toMatchObject({ facts_kept: 8, facts_total: 8, score: 1 });
    expect((await api.summaries('again'))[0]!.fields.important_discoveries).toBe(codes.join(' '));

    await create('once', { max_tokens: 160 });
    await fold('once');
    expect(callsOf('once')).toHaveLength(1);
    expect((await fidelityOf('once', 1))!.facts_kept).toBeLessThan(8);
  });

  test('a second answer that is no better, or none, leaves the first one, completed by code; nobody asks a third time', async () => {
    stub.answer = (call) =>
      call.prompt.includes('Code compared')
        ? { content: 'no JSON' }
        : prose(call, 'They have been looked at.');
    await create('no-better', { max_tokens: 160, min_fidelity: 0.9 });
    await fold('no-better');
    expect(callsOf('no-better')).toHaveLength(2);
    const [summary] = await api.summaries('no-better');
    expect(summary!.fields.important_discoveries).toBe('They have been looked at.');
    expect(summary!.fidelity!.facts_kept).toBeGreaterThan(0);
    expect(summary!.slots!.used.facts + summary!.slots!.used.narrative).toBeLessThanOrEqual(160);
  });
});
