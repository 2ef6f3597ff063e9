import { asProject, currentScope, type Scope } from '../../connection/scope.js';
import type { Query } from '../../connection/store.js';
import type { GrownThread } from '../../threads/thread-row.js';
import { append, type Append } from './append.js';
import { appendGroup, canBeGrouped } from './append-group.js';

/** Statements of one caller that are with Postgres at once: the next group fills up while it works. */
const statementsAtOnce = 2;
/** Milliseconds after which a group goes in any case: a statement may wait for a thread that somebody has locked. */
const patienceMs = 10;
/** Appends of a group. */
const groupSize = 64;
/** Characters of an append's messages, from which it goes alone: others should not wait for its bytes. */
const aloneFrom = 64 * 1024;

interface Waiting {
  append: Append;
  resolve: (row: GrownThread | undefined) => void;
  reject: (error: unknown) => void;
}

/** What waits of one caller: a connection has one scope, and so has a group. */
interface Line {
  scope: Scope;
  waiting: Waiting[];
  /** Threads that a statement is appending to. A second append to one of them waits for the first. */
  busy: Set<string>;
  statements: number;
  /** Runs while something waits for a place. */
  patience: NodeJS.Timeout | null;
}

/**
 * Sends appends to Postgres, those that come while it is busy in one statement and one transaction for all: a commit, a
 * round trip and the start of a plan cost the same for sixty as for one. One that comes alone goes at once. Each has
 * an answer of its own, as from `append`: whatever a group passes over, because a thread is locked or the append is
 * refused, is asked again by itself.
 */
export class AppendQueue {
  /** By project and actor. */
  private readonly lines = new Map<string, Line>();

  constructor(private readonly query: Query) {}

  /** Like `append`. */
  append(one: Append): Promise<GrownThread | undefined> {
    if (!canBeGrouped(one) || lengthOf(one) >= aloneFrom) return append(this.query, one);
    const scope = currentScope();
    const name = `${one.projectId} ${scope.project} ${scope.actor}`;
    const line = this.lines.get(name) ?? {
      scope,
      waiting: [],
      busy: new Set(),
      statements: 0,
      patience: null,
    };
    this.lines.set(name, line);
    return new Promise((resolve, reject) => {
      line.waiting.push({ append: one, resolve, reject });
      this.send(name, line, statementsAtOnce);
    });
  }

  private send(name: string, line: Line, atOnce: number): void {
    while (line.statements < atOnce) {
      const group = takeGroup(line);
      if (group.length === 0) break;
      line.statements++;
      const { project, actor } = line.scope;
      void asProject(project, actor, () => this.record(group)).finally(() => {
        line.statements--;
        for (const { append } of group) line.busy.delete(append.threadId);
        this.send(name, line, statementsAtOnce);
      });
    }
    if (line.waiting.length > 0)
      line.patience ??= setTimeout(() => {
        line.patience = null;
        this.send(name, line, line.statements + 1);
      }, patienceMs);
    else {
      if (line.patience) clearTimeout(line.patience);
      line.patience = null;
      if (line.statements === 0) this.lines.delete(name);
    }
  }

  /** Settles each of them. Never rejects. */
  private async record(group: readonly Waiting[]): Promise<void> {
    if (group.length === 1) return this.alone(group[0]!);
    try {
      const rows = await appendGroup(
        this.query,
        group.map(({ append }) => append),
      );
      group.forEach((one, i) => (rows[i] ? one.resolve(rows[i]) : void this.alone(one)));
    } catch (error) {
      // Nothing was written: each finds out by itself whether it was the one. After an outage nobody knows what was.
      for (const one of group) {
        if (isRefusal(error)) void this.alone(one);
        else one.reject(error);
      }
    }
  }

  private alone({ append: one, resolve, reject }: Waiting): Promise<void> {
    return append(this.query, one).then(resolve, reject);
  }
}

/** The next that wait, in order, one of each thread. */
function takeGroup(line: Line): Waiting[] {
  const group: Waiting[] = [];
  const rest: Waiting[] = [];
  for (const one of line.waiting) {
    const { threadId } = one.append;
    if (group.length === groupSize || line.busy.has(threadId)) rest.push(one);
    else {
      line.busy.add(threadId);
      group.push(one);
    }
  }
  line.waiting = rest;
  return group;
}

const lengthOf = ({ messages }: Append): number =>
  messages.reduce((sum, message) => sum + message.body.length, 0);

/** Postgres refused a value or a constraint: the transaction is undone for certain. */
const isRefusal = (error: unknown): boolean => /^(22|23|54)/.test((error as { code?: string }).code ?? '');
