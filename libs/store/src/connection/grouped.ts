import { SpillwayError } from '@spillway/engine';
import { lockMs } from './lock-timeout.js';
import { asProject, currentScope, type Scope } from './scope.js';

/**
 * Statements of one caller that are with Postgres at once: the next group fills up while it works. With two, groups are
 * half as large, and each append costs Postgres a quarter more.
 */
const statementsAtOnce = 1;
/** Milliseconds after which a group goes in any case: a statement may wait for a thread that somebody has locked. */
const maxWaitMs = 10;
/** Requests of a group. */
const groupSize = 64;

/** In place of an answer: the group's statement passed this one over, and it is asked again by itself. */
export const passedOver = Symbol('passed over');

/** How requests of one kind are sent. */
export interface Kind<Asked, Answer> {
  /** Two with the same name are never in two statements at once. Without it any may be. */
  turnOf?(asked: Asked): string;
  /** Nor in one. */
  isOnceInGroup?: boolean;
  alone(asked: Asked): Promise<Answer>;
  /** An answer for each, in order. */
  together(group: readonly Asked[]): Promise<(Answer | typeof passedOver)[]>;
}

/** A group is of one project. */
interface OfProject {
  projectId: string;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  since: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** What Postgres said to a group. */
interface Answered<Asked, Answer> {
  /** Answers all but those that are left. */
  settle: () => void;
  /** What it passed over, or refused together with others. */
  left: readonly Waiting<Asked, Answer>[];
}

/** What waits of one caller: a connection has one scope, and so has a group. */
interface Queue<Asked, Answer> {
  scope: Scope;
  waiting: Waiting<Asked, Answer>[];
  /** Names that a statement is busy with. */
  busy: Set<string>;
  statements: number;
  /** Pending while nothing is with Postgres and something has just come. */
  nextSend: NodeJS.Immediate | null;
  /** Runs while something waits for a place. */
  lateSend: NodeJS.Timeout | null;
}

/**
 * Sends requests to Postgres, those that come while it is busy in one statement and one transaction for all: a commit, a
 * round trip and the start of a plan cost the same for sixty as for one. One that comes alone goes at once: after the
 * requests that have arrived with it, and waits for no clock. Each has an answer of its own, as if it had gone alone:
 * whatever a group passes over is asked again by itself. One that waits for its turn waits no longer than a statement
 * waits for a lock: when the one before it finds its row locked for so long, it is refused too, and was not sent.
 */
export class Grouped<Asked extends OfProject, Answer> {
  /** By project and caller. */
  private readonly queues = new Map<string, Queue<Asked, Answer>>();

  constructor(private readonly kind: Kind<Asked, Answer>) {}

  ask(asked: Asked): Promise<Answer> {
    const scope = currentScope();
    const name = `${asked.projectId} ${scope.project} ${scope.actor}`;
    const queue = this.queues.get(name) ?? {
      scope,
      waiting: [],
      busy: new Set(),
      statements: 0,
      nextSend: null,
      lateSend: null,
    };
    this.queues.set(name, queue);
    return new Promise((resolve, reject) => {
      queue.waiting.push({ asked, since: performance.now(), resolve, reject });
      if (queue.statements > 0) this.send(name, queue, statementsAtOnce);
      else queue.nextSend ??= setImmediate(() => this.send(name, queue, statementsAtOnce));
    });
  }

  private send(name: string, queue: Queue<Asked, Answer>, atOnce: number): void {
    if (queue.nextSend) clearImmediate(queue.nextSend);
    queue.nextSend = null;
    while (queue.statements < atOnce) {
      const group = this.takeGroup(queue);
      if (group.length === 0) break;
      queue.statements++;
      const { project, actor } = queue.scope;
      void asProject(project, actor, () => this.answer(queue, group)).then(({ settle, left }) => {
        queue.statements--;
        // The turn of what is asked again lasts on: a row that somebody has locked takes one connection, and not one of
        // each request for it.
        for (const one of group) if (!left.includes(one)) this.endTurn(queue, one);
        this.send(name, queue, statementsAtOnce);
        const settled = (): void =>
          asProject(project, actor, () => {
            settle();
            for (const one of left)
              void this.alone(queue, one).then((settle) => {
                this.endTurn(queue, one);
                this.send(name, queue, statementsAtOnce);
                settle();
              });
          });
        // What follows an answer takes the CPU, and Postgres would idle meanwhile: the next group is sent first.
        if (queue.statements > 0) setImmediate(settled);
        else settled();
      });
    }
    if (queue.waiting.length > 0)
      queue.lateSend ??= setTimeout(() => {
        queue.lateSend = null;
        this.send(name, queue, queue.statements + 1);
      }, maxWaitMs);
    else {
      if (queue.lateSend) clearTimeout(queue.lateSend);
      queue.lateSend = null;
      if (queue.statements === 0 && queue.busy.size === 0 && this.queues.get(name) === queue)
        this.queues.delete(name);
    }
  }

  /** The next that wait, in order, without those whose turn it is not. */
  private takeGroup(queue: Queue<Asked, Answer>): Waiting<Asked, Answer>[] {
    const group: Waiting<Asked, Answer>[] = [];
    const rest: Waiting<Asked, Answer>[] = [];
    const own = new Set<string>();
    for (const one of queue.waiting) {
      const turn = this.turnOf(one.asked);
      const waits =
        turn !== null && queue.busy.has(turn) && (this.kind.isOnceInGroup === true || !own.has(turn));
      if (waits || group.length === groupSize) {
        rest.push(one);
        continue;
      }
      group.push(one);
      if (turn === null) continue;
      own.add(turn);
      queue.busy.add(turn);
    }
    queue.waiting = rest;
    return group;
  }

  private turnOf(asked: Asked): string | null {
    return this.kind.turnOf?.(asked) ?? null;
  }

  private endTurn(queue: Queue<Asked, Answer>, { asked }: Waiting<Asked, Answer>): void {
    queue.busy.delete(this.turnOf(asked) ?? '');
  }

  /** Asks Postgres. Never rejects. */
  private async answer(
    queue: Queue<Asked, Answer>,
    group: readonly Waiting<Asked, Answer>[],
  ): Promise<Answered<Asked, Answer>> {
    if (group.length === 1) return { settle: await this.alone(queue, group[0]!), left: [] };
    try {
      const answers = await this.kind.together(group.map(({ asked }) => asked));
      return {
        left: group.filter((_, i) => answers[i] === passedOver),
        settle: () =>
          group.forEach((one, i) => {
            const answer = answers[i] as Answer | typeof passedOver;
            if (answer !== passedOver) one.resolve(answer);
          }),
      };
    } catch (error) {
      // Nothing was written: each finds out by itself whether it was the one. After an outage nobody knows what was.
      if (isRefusal(error)) return { settle: () => undefined, left: group };
      return { settle: () => group.forEach(({ reject }) => reject(error)), left: [] };
    }
  }

  /** Returns what settles it. Never rejects. */
  private alone(queue: Queue<Asked, Answer>, one: Waiting<Asked, Answer>): Promise<() => void> {
    return this.kind.alone(one.asked).then(
      (answer) => () => one.resolve(answer),
      (error: unknown) => {
        if (isBusy(error)) this.refuseThoseAfter(queue, one, error);
        return () => one.reject(error);
      },
    );
  }

  /** Refuses what has waited for its turn for as long as a statement waits for a lock. */
  private refuseThoseAfter(queue: Queue<Asked, Answer>, before: Waiting<Asked, Answer>, error: Error): void {
    const turn = this.turnOf(before.asked);
    if (turn === null) return;
    const longAgo = performance.now() - lockMs;
    const isRefused = (one: Waiting<Asked, Answer>) =>
      one.since <= longAgo && this.turnOf(one.asked) === turn;
    const refused = queue.waiting.filter(isRefused);
    queue.waiting = queue.waiting.filter((one) => !isRefused(one));
    for (const { reject } of refused) reject(error);
  }
}

const isBusy = (error: unknown): error is SpillwayError =>
  error instanceof SpillwayError && error.code === 'thread_busy';

/** Postgres refused a value or a constraint: the transaction is undone for certain. */
const isRefusal = (error: unknown): boolean => /^(22|23|54)/.test((error as { code?: string }).code ?? '');
