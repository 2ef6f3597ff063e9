// @module-tag long
import { randomUUID } from 'node:crypto';
import { rowsOf } from '@spillway/testing';
import { Chance, freshSeed, openGate, openMemoryStore, Tables } from '@spillway/testing/simulation';
import { asService, readThread, type Query, type Store } from '@spillway/store';
import { expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';
import { nextCommand, type Scene } from './store-commands.js';
import { rowsIn } from './store-rows.js';

/** The same each time. SEED=fresh takes a new one. */
const seed = process.env.SEED === 'fresh' ? freshSeed() : BigInt(process.env.SEED ?? 20_261_122);
const rounds = Number(process.env.ROUNDS ?? 20);
const commandsARound = 80;
const passMs = 1_200_000;

let postgres: Store;
let url: string;
storeAlone(2, (on) => void ({ url, store: postgres } = on));

/** Results as far as two clocks can agree on them. */
function withoutTimes(value: unknown): unknown {
  if (value instanceof Date) return 'a time';
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      key,
      key === 'rowVersion' || (key === 'waitedMs' && held !== null) ? 'of its store' : withoutTimes(held),
    ]),
  );
}

/** An error is an answer too: both must refuse. */
const answerOf = async (run: (query: Query) => Promise<unknown>, query: Query): Promise<unknown> => {
  try {
    return withoutTimes(await run(query));
  } catch (error) {
    return { refused: (error as { code?: string }).code };
  }
};

test('the memory store answers and changes rows as Postgres does', () => asService(compareStores));

/** As the service itself, for the memory store has no row-level security. */
async function compareStores(): Promise<void> {
  console.info(`stores: SEED=${seed}`);
  const chance = new Chance(seed);
  const effective = new Set<string>();
  // As many rounds as it takes for every command to have had an effect.
  const all = [
    'append',
    'append-group',
    'claim',
    'heartbeat',
    'commit',
    'prepare',
    'commit-prepared',
    'void-prepared',
    'to-prepare',
    'request',
    'restore',
    'fork',
    'decide-instruction',
    'withdraw',
    'erase',
    'record-served',
    'is-still-served',
    'weigh-again',
    'measure',
    'pin',
    'update',
  ];
  for (
    let round = 0;
    round < rounds || (round < 10 * rounds && !all.every((name) => effective.has(name)));
    round++
  ) {
    let now = Date.now();
    const tables = new Tables(() => now);
    const memory = openMemoryStore(tables, openGate);
    const projects = [randomUUID(), randomUUID()];
    for (const id of projects) {
      tables.projects.set(id, { id, settingsVersion: 1, policy: '{}' });
      await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [id, id]);
    }
    const scene: Scene = {
      chance,
      projects,
      newUid: randomUUID,
      settingsVersion: 1,
      claimed: [],
      seen: undefined,
      projectId: '',
      threadId: '',
    };
    const history: string[] = [];
    for (let i = 0; i < commandsARound; i++) {
      scene.projectId = chance.pick(projects);
      scene.threadId = chance.pick(['a', 'a', 'b', 'b', 'c']);
      scene.seen = await readThread(memory.query, scene.projectId, scene.threadId);
      if (chance.happens(0.1)) {
        now += passMs;
        await postgres.query(timePasses, [passMs, projects]);
        history.push('time passes');
      }
      const command = nextCommand(scene);
      history.push(command.name);
      const [a, b] = [await answerOf(command.run, memory.query), await answerOf(command.run, postgres.query)];
      const where = `SEED=${seed} round ${round}: ${history.join(', ')}`;
      expect(a, where).toEqual(b);
      if (a !== undefined && a !== false) effective.add(command.name);
      if (command.name === 'claim' && a) {
        const row = await readThread(memory.query, scene.projectId, scene.threadId);
        if (row) scene.claimed.push(row);
      }
      expect(rowsIn.memory(tables, projects, passMs), where).toEqual(
        await rowsIn.postgres(postgres.query, projects, passMs),
      );
    }
  }
  // Agreeing on refusals alone would prove nothing.
  for (const name of all) expect(effective, name).toContain(name);
}

/** Moving every time back is the same as the clock moving on. */
const timePasses = {
  name: 'time-passes',
  text: `WITH served AS (UPDATE served_contexts SET served_at = served_at - $1::int * interval '1 ms'
      WHERE project_id = ANY($2::uuid[]))
    UPDATE threads SET lease_until = lease_until - $1::int * interval '1 ms',
      prepare_at = prepare_at - $1 * interval '1 ms', next_attempt_at = next_attempt_at - $1::int * interval '1 ms',
      requested_at = requested_at - $1::int * interval '1 ms'
    WHERE project_id = ANY($2::uuid[])`,
};
