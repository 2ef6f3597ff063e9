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
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
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
 * whatever a group passes over is asked again by itself.
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
      queue.waiting.push({ asked, resolve, reject });
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
      void asProject(project, actor, () => this.answer(group)).then((settle) => {
        queue.statements--;
        for (const { asked } of group) queue.busy.delete(this.turnOf(asked) ?? '');
        this.send(name, queue, statementsAtOnce);
        const settled = (): void => asProject(project, actor, settle);
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
      if (queue.statements === 0) this.queues.delete(name);
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

  /** Asks Postgres, and returns what settles each of them. Never rejects. */
  private async answer(group: readonly Waiting<Asked, Answer>[]): Promise<() => void> {
    if (group.length === 1) return this.alone(group[0]!);
    try {
      const answers = await this.kind.together(group.map(({ asked }) => asked));
      return () =>
        group.forEach((one, i) => {
          const answer = answers[i] as Answer | typeof passedOver;
          if (answer === passedOver) this.again(one);
          else one.resolve(answer);
        });
    } catch (error) {
      // Nothing was written: each finds out by itself whether it was the one. After an outage nobody knows what was.
      return () => {
        for (const one of group) {
          if (isRefusal(error)) this.again(one);
          else one.reject(error);
        }
      };
    }
  }

  private alone({ asked, resolve, reject }: Waiting<Asked, Answer>): Promise<() => void> {
    return this.kind.alone(asked).then(
      (answer) => () => resolve(answer),
      (error: unknown) => () => reject(error),
    );
  }

  private again({ asked, resolve, reject }: Waiting<Asked, Answer>): void {
    this.kind.alone(asked).then(resolve, reject);
  }
}

/** Postgres refused a value or a constraint: the transaction is undone for certain. */
const isRefusal = (error: unknown): boolean => /^(22|23|54)/.test((error as { code?: string }).code ?? '');
