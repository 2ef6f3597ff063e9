import { describe, expect, test } from 'vitest';
import { BodyBudget, type BodyOwner } from './body-budget.js';

const mebibyte = 1024 * 1024;
const body = 8 * mebibyte;
const owner = (keyId: string, projectId = 'p') => ({ projectId, keyId, token: null });

/** Reserves bodies of 8 MiB until one is refused. */
function fill(budget: BodyBudget, of: BodyOwner) {
  const reserved = [];
  try {
    for (;;) reserved.push(budget.reserve(of, body));
  } catch (error) {
    return { reserved, code: (error as { code: string }).code };
  }
}

describe('the budget of buffered bodies', () => {
  test('a key that holds its share does not block another key', () => {
    const budget = new BodyBudget();
    expect(fill(budget, owner('greedy'))).toMatchObject({ code: 'too_many_requests' });
    expect(() => budget.reserve(owner('other'), body)).not.toThrow();
  });

  test('a thread token that holds its share does not block its key', () => {
    const budget = new BodyBudget();
    const holder = { ...owner('a'), token: { id: 't', threadId: 'x' } };
    const { reserved, code } = fill(budget, holder);
    expect({ bodies: reserved.length, code }).toEqual({ bodies: 4, code: 'too_many_requests' });
    expect(() => budget.reserve(owner('a'), body)).not.toThrow();
  });

  test('the keys of a project together do not block another project', () => {
    const budget = new BodyBudget();
    for (let n = 0; n < 20; n++) fill(budget, owner(`key-${n}`));
    expect(() => budget.reserve(owner('other', 'q'), body)).not.toThrow();
  });

  test('many projects together cannot reserve more than the whole', () => {
    const budget = new BodyBudget();
    let bodies = 0;
    for (let n = 0; n < 20; n++) bodies += fill(budget, owner(`key-${n}`, `project-${n}`)).reserved.length;
    expect(bodies * body).toBe(128 * mebibyte);
    expect(fill(budget, owner('late', 'late')).code).toBe('overloaded');
  });

  test('a body that is released twice is released once', () => {
    const budget = new BodyBudget();
    const [first] = fill(budget, owner('a')).reserved;
    first!.release();
    first!.release();
    expect(fill(budget, owner('a')).reserved).toHaveLength(1);
  });

  test('a body of unknown length counts with its real length once it was read', () => {
    const budget = new BodyBudget();
    const { reserved } = fill(budget, owner('a'));
    for (const one of reserved) one.settle(100);
    const again = fill(budget, owner('a')).reserved;
    expect(again.length).toBe(reserved.length - 1);
    again[0]!.settle(2 * body);
    expect(fill(budget, owner('a')).reserved).toHaveLength(0);
  });
});
