import type { Chance } from '@spillway/testing/simulation';
import {
  callersSummary,
  failureBefore,
  failureBehind,
  claim,
  commit,
  dueThreads,
  erase,
  eraseRange,
  finish,
  heartbeat,
  knownMessages,
  leadingAt,
  measureCalibration,
  pinMessage,
  raiseRequestTokens,
  readBodies,
  readEntries,
  readHolds,
  readEntriesWithBodies,
  readInstructions,
  readThread,
  readThreadWithSummary,
  deleteUnusedPrompt,
  recordServed,
  requestCompaction,
  setProjectStopped,
  updateThread,
  weighAgain,
  type DueThread,
  type Finish,
  type Query,
  type Recorded,
  type RecordServed,
  type ThreadRow,
} from '@spillway/store';
import { appendCommand, groupCommand } from './append-commands.js';
import { decideCommand, instructionOf } from './instruction-commands.js';
import { servedReads, staleParts } from './served-commands.js';
import { withdrawCommand } from './withdraw-commands.js';
import { prepareCommand, readPreparedCommand, toPrepareCommand, voidCommand } from './prepare-commands.js';
import {
  forkCommand,
  holdCommand,
  proposalCommand,
  restoreCommand,
  rewindCommand,
  rewindReads,
} from './steering-commands.js';

/** One call of a function of libs/store, the same for every store. */
export interface Command {
  name: string;
  run: (query: Query) => Promise<unknown>;
}

/** What commands are made from: the rows as they are, and rows as somebody saw them a while ago. */
export interface Scene {
  chance: Chance;
  projects: readonly string[];
  /** Names a thread that does not exist yet. */
  newUid: () => string;
  settingsVersion: number;
  /** Rows seen when they were claimed: what a worker goes by, long after they changed. */
  claimed: ThreadRow[];
  seen: ThreadRow | undefined;
  projectId: string;
  threadId: string;
}

const outcomes: Pick<Finish, 'outcome' | 'then'>[] = [
  { outcome: 'nothing_to_compact', then: 'idle' },
  { outcome: 'failed', then: { retryInMs: 1_200_000 } },
  { outcome: 'parked', then: { parkReason: 'irreducible' } },
  { outcome: 'parked', then: { parkReason: 'auth' } },
  { outcome: 'lost_cas', then: null },
  { outcome: 'released', then: null },
];

/** A commit of what was claimed once: the newest claim, or one that others have overtaken. */
function commitCommand({ chance, claimed }: Scene, row: ThreadRow): Command {
  const newChain = chance.happens(0.2);
  const from = newChain ? 1 : row.coveredThrough + 1;
  const toSeq = from + chance.below(Math.max(1, row.nextSeq - from));
  const spoiled = chance.happens(0.3) ? chance.pick(['chain', 'generation', 'coveredThrough']) : null;
  const was = (column: 'chain' | 'generation' | 'coveredThrough' | 'policyVersion' | 'weighedVersion') =>
    row[column] + (spoiled === column ? 1 : 0);
  const author = chance.happens(0.2) ? 'somebody' : null;
  const made = {
    projectId: row.projectId,
    threadUid: row.uid,
    epoch: row.leaseEpoch,
    chain: was('chain'),
    generation: was('generation'),
    coveredThrough: was('coveredThrough'),
    contentVersion: row.contentVersion + (chance.happens(0.05) ? 1 : 0),
    request: row.request,
    prepared: row.preparedGeneration > 0 && chance.happens(0.6) ? row.preparedGeneration : null,
    newChain,
    fromSeq: from,
    toSeq: Math.min(toSeq, Math.max(from, row.nextSeq - 1)),
    carried: chance.happens(0.3) ? [1] : [],
    clearedThrough: chance.below(3),
    fields: '{"task_overview":"t"}',
    text: `summary ${chance.below(100)}`,
    summaryTokens: 10,
    liveTokensAtClaim: row.liveTokens,
    tokensBefore: row.liveTokens,
    policyVersionAtClaim: was('policyVersion'),
    weighedVersionAtClaim: was('weighedVersion'),
    liveTokensAfter: 20 + chance.below(200),
    tokensAfter: 20 + chance.below(200),
    method: author === null ? 'llm' : 'caller',
    model: chance.pick([null, 'm']),
    failure: chance.pick([null, 'too_long']),
    author,
    restoredFrom: chance.happens(0.2) && row.generation > 0 ? row.generation : null,
    adopted: chance.happens(0.3)
      ? {
          calibration: chance.pick([1.25, 2]),
          limitTokens: 400,
          triggerTokens: chance.pick([80, 160]),
          policyVersion: row.policyVersion + (chance.happens(0.1) ? 1 : 0),
        }
      : null,
    found: JSON.stringify(Array.from({ length: chance.below(3) }, () => instructionOf(chance))),
    holds: chance.pick([null, '{"kept":[1]}']),
    fidelity: `{"factsKept": ${chance.below(5)}}`,
    seenSeq: chance.pick([0, row.nextSeq - 1]),
    recall: chance.pick([null, '{"needs": 3}']),
    shownInstructions: '{"shown":["1-0"],"left_out":[],"tokens":9}',
  };
  const isPossible = made.fromSeq <= row.nextSeq - 1;
  if (!isPossible) claimed.splice(claimed.indexOf(row), 1);
  return isPossible
    ? { name: made.prepared === null ? 'commit' : 'commit-prepared', run: (query) => commit(query, made) }
    : { name: 'read', run: (query) => readThread(query, row.projectId, row.id) };
}

function ofClaimed(scene: Scene, row: ThreadRow): Command {
  const { chance } = scene;
  const held = { projectId: row.projectId, threadUid: row.uid, epoch: row.leaseEpoch };
  const { seen } = scene;
  // What is prepared now is often put in place or voided before it changes.
  if (seen?.uid === row.uid && seen.preparedGeneration > 0 && chance.happens(0.5))
    return chance.happens(0.3) ? voidCommand(seen) : commitCommand(scene, seen);
  switch (chance.below(6)) {
    case 0: {
      const lease = { ...held, contentVersion: row.contentVersion, leaseMs: 3_600_000 };
      return { name: 'heartbeat', run: (query) => heartbeat(query, lease) };
    }
    case 1: {
      const seen = {
        nextSeq: row.nextSeq,
        request: row.request,
        policyVersion: row.policyVersion + (chance.happens(0.1) ? 1 : 0),
        contentVersion: row.contentVersion,
      };
      const reason = chance.pick(['nothing_to_cut', null]);
      const flags = { counts: chance.happens(0.7), tried: chance.happens(0.8) };
      const outcome = { ...chance.pick(outcomes), ...flags, reason, error: chance.pick([null, 'broke']) };
      return { name: 'finish', run: (query) => finish(query, { ...held, ...outcome, ...seen }) };
    }
    case 2:
      return prepareCommand(scene, row);
    case 3:
      return voidCommand(row);
    default:
      return commitCommand(scene, row);
  }
}

function reading(scene: Scene, row: ThreadRow): Command {
  const { chance } = scene;
  const { projectId, uid: threadUid, id } = row;
  const seqs = [1 + chance.below(row.nextSeq), 2];
  const after = chance.below(row.nextSeq);
  const through = chance.pick([row.headSeq, row.nextSeq - 1]);
  const window = { projectId, threadUid, after, through, also: seqs };
  const generation = row.generation - (chance.happens(0.2) ? 1 : 0);
  const stale = chance.pick([null, null, ...staleParts]);
  const reads: Command[] = [
    { name: 'read-entries', run: (query) => readEntries(query, window) },
    { name: 'read-entries-with-bodies', run: (query) => readEntriesWithBodies(query, window) },
    { name: 'read-bodies', run: (query) => readBodies(query, projectId, threadUid, seqs) },
    { name: 'leading-at', run: (query) => leadingAt(query, projectId, threadUid, seqs[0]!) },
    { name: 'read-holds', run: (query) => readHolds(query, projectId, threadUid, 5) },
    { name: 'read-instructions', run: (query) => readInstructions(query, projectId, threadUid) },
    readPreparedCommand(row),
    { name: 'failure-behind', run: (query) => failureBehind(query, { projectId, threadUid, generation }) },
    {
      name: 'failure-before',
      run: (query) => failureBefore(query, { projectId, threadUid, epoch: row.leaseEpoch }),
    },
    { name: 'callers', run: (query) => callersSummary(query, { projectId, threadUid, generation }) },
    {
      name: 'callers-withdrawn',
      run: (query) => callersSummary(query, { projectId, threadUid, generation: 0 }),
    },
    ...rewindReads(row, after),
    ...servedReads(row, { seq: seqs[0]!, after, generation, fingerprint: `f${chance.below(9)}`, stale }),
    { name: 'read-with-summary', run: (query) => readThreadWithSummary(query, projectId, id) },
    { name: 'known', run: (query) => knownMessages(query, projectId, threadUid, ['id-1', 'id-2']) },
    toPrepareCommand(scene.projects),
    { name: 'due', run: async (query) => dueAmong(scene.projects, await dueThreads(query, 1_000)) },
  ];
  return chance.pick(reads);
}

/** A context was served, usage came, or the settings changed. */
function learning({ chance, settingsVersion }: Scene, seen: ThreadRow): Command {
  const { projectId, uid, policyVersion, nextSeq, generation, contentVersion } = seen;
  const stale = chance.happens(0.1) ? 1 : 0;
  const triggerTokens = chance.pick([100, 200, 400]);
  const prompt = chance.pick([null, { text: 'Be kind.', hash: 'a' }, { text: 'Be brief.', hash: 'b' }]);
  const served = {
    ...{ projectId, threadUid: uid, seq: chance.below(nextSeq), generation, prompt },
    ...{ fingerprint: `f${chance.below(9)}`, tokens: chance.below(400), frame: '{"limit":500}' },
    ifRowVersion: chance.pick([null, 'other']),
  };
  const weighed = {
    ...{ projectId, uid, liveTokens: chance.below(400), contextWindow: 900, limitTokens: 450, triggerTokens },
    ...{ summaryEnabled: chance.happens(0.9), settingsVersion, policyVersion, nextSeq: nextSeq - stale },
    ...{ generation, contentVersion },
  };
  const measuredRatio = chance.pick([0.75, 1.5]);
  const measured = { projectId, uid, policyVersion: policyVersion - stale, measuredRatio, triggerTokens };
  const raised = { projectId, uid, tokens: chance.below(90) };
  const change = {
    ...{ model: null, system: chance.pick([null, 'Be brief.']), tools: null, format: null, metadata: '{}' },
    ...{ policy: chance.pick(['{}', '{"a":1}']), calibration: 1.5, measuredRatio: chance.pick([1.5, 2]) },
    ...{ contextWindow: 900, limitTokens: 450, triggerTokens, summaryEnabled: chance.happens(0.9) },
    liveDelta: chance.below(9),
  };
  const key = { projectId, uid, policyVersion: policyVersion - stale };
  return chance.pick<Command>([
    { name: 'update', run: (query) => updateThread(query, key, change) },
    { name: 'record-served', run: (query) => recordAndTidy(query, served) },
    { name: 'weigh-again', run: (query) => weighAgain(query, weighed) },
    { name: 'measure', run: (query) => measureCalibration(query, measured) },
    { name: 'raise', run: (query) => raiseRequestTokens(query, raised) },
  ]);
}

/** Records a context, and deletes the prompt that it was the last to show. */
async function recordAndTidy(query: Query, served: RecordServed): Promise<Recorded> {
  const recorded = await recordServed(query, served);
  const { projectId, threadUid } = served;
  const hash = recorded.unusedPrompt;
  if (hash !== null) await deleteUnusedPrompt(query, { projectId, threadUid, hash });
  return recorded;
}

/** What happens just after the operator paused the compaction of the project, which goes on afterwards. */
const whilePaused = (projectId: string, { name, run }: Command): Command => ({
  name: `${name} while paused`,
  run: async (query) => {
    await setProjectStopped(query, projectId, 'compaction', true);
    try {
      return await run(query);
    } finally {
      await setProjectStopped(query, projectId, 'compaction', false);
    }
  },
});

/** Threads that fell due in the same instant have no order of their own. */
const dueAmong = (projects: readonly string[], due: readonly DueThread[]): DueThread[] =>
  due
    .filter(({ projectId }) => projects.includes(projectId))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

/** Erases a thread, at times its first messages by a statement of their own. */
function eraseCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const through = chance.pick([0, 2, 5]);
  return {
    name: 'erase',
    run: async (query) => {
      if (through > 0) await eraseRange(query, { projectId, threadUid: seen.uid, after: 0, through });
      return erase(query, projectId, threadId);
    },
  };
}

/** What somebody might do next to one of a few threads. */
export function nextCommand(scene: Scene): Command {
  const { chance, projectId, threadId, seen, claimed } = scene;
  // Now and then with the right uid and the wrong project.
  const stranger = <T extends { projectId: string }>(row: T): T =>
    chance.happens(0.05) ? { ...row, projectId: chance.pick(scene.projects) } : row;
  const dice = chance.below(100);
  if (dice < 8) return groupCommand(scene);
  if (dice < 30 || !seen) return appendCommand(scene);
  if (dice < 32) return rewindCommand(scene, seen);
  if (dice < 33) return forkCommand(scene, seen);
  if (dice < 35) return reading(scene, stranger(seen));
  if (dice < 48) {
    const asked = { projectId, threadId, owner: 'w', leaseMs: 3_600_000, prepareAgainMs: 3_600_000 };
    const command: Command = { name: 'claim', run: (query) => claim(query, asked) };
    return chance.happens(0.1) ? whilePaused(projectId, command) : command;
  }
  if (dice < 72 && claimed.length > 0) {
    const row = stranger(chance.happens(0.7) ? claimed.at(-1)! : chance.pick(claimed));
    const command = ofClaimed(scene, row);
    return chance.happens(0.15) ? whilePaused(row.projectId, command) : command;
  }
  if (dice < 80) {
    const request = chance.pick([null, { kind: 'manual' as const }, { kind: 'rebuild' as const }]);
    return { name: 'request', run: (query) => requestCompaction(query, projectId, threadId, request) };
  }
  if (dice < 84) return restoreCommand(scene, seen);
  if (dice < 87) return withdrawCommand(scene, seen);
  if (dice < 88) return proposalCommand(scene, seen);
  if (dice < 89) return eraseCommand(scene, seen);
  if (dice < 93) return learning(scene, stranger(seen));
  if (dice < 95) {
    const pin = {
      ...{ projectId, threadId, seq: 1 + chance.below(seen.nextSeq), pinned: chance.happens(0.5) },
      contentVersion: seen.contentVersion - (chance.happens(0.1) ? 1 : 0),
      activeGeneration: seen.generation,
      liveTokensDelta: chance.below(5),
    };
    return { name: 'pin', run: (query) => pinMessage(query, pin) };
  }
  if (dice < 96) return holdCommand(scene, seen);
  if (dice < 97) return decideCommand(scene, seen);
  return reading(scene, stranger(seen));
}
