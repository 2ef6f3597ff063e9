import { asProject, audit, findProjectId, type CallerRow } from '@spillway/store';
import { actorOf } from './actor.js';
import { addressGroup } from './throttle/address-group.js';
import type { Runtime } from '../runtime.js';

/** A request that was answered with 401, 403 or 429. */
export interface Refusal {
  status: number;
  code: string;
  method: string;
  /** The route as the contract names it, without ids. */
  route: string;
  address: string;
  /** The owner of its key, session or token, if known. */
  caller: Pick<CallerRow, 'projectId' | 'keyId' | 'sessionId' | 'token'> | null;
  requestId: string;
}

export interface RefusalLog {
  note(refusal: Refusal): void;
  /** Writes what was counted since the last flush and waits for the write. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Repeats are counted for this long and then written as one line and one row. */
const windowMs = 60_000;
/** Maximum of distinct refusals of a project per window; further ones are counted together. */
const maxGroups = 50;

interface Group {
  refusal: Refusal;
  actor: string;
  /** Refusals that are counted and not yet written. */
  unwritten: number;
}

/**
 * Writes refused requests to the log and the audit log: the first of its kind at once, repeats once a minute with their
 * number. Refusals without a known key belong to the operator's project. The number of rows is bounded, so that refused
 * requests cannot fill the audit log.
 */
export function refusalLog(rt: Runtime): RefusalLog {
  let groups = new Map<string, Group>();
  let counts = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  async function write({ refusal, actor }: Group, count: number): Promise<void> {
    const { status, code, method, route, address, caller } = refusal;
    const { keyId = null, sessionId = null, token = null } = caller ?? {};
    rt.log.warn(
      {
        status,
        code,
        method,
        route,
        address,
        key: keyId,
        session: sessionId,
        token: token?.id ?? null,
        count,
        request: refusal.requestId,
      },
      'refused',
    );
    const projectId = caller?.projectId ?? (await findProjectId(rt.store, 'default'));
    if (!projectId) return;
    const entry = { projectId, action: 'request.refused', target: `${method} ${route}` };
    await asProject(projectId, actor, () =>
      audit(rt.store.query, { ...entry, detail: { status, code, address, count } }),
    );
  }

  function begin(group: Group, count: number): void {
    const written = write(group, count)
      .catch((error: unknown) => rt.log.warn({ err: error }, 'a refused request was not audited'))
      .finally(() => writing.delete(written));
    writing.add(written);
  }

  function groupOf(refusal: Refusal): { name: string; group: Group } {
    const { caller, code, method, route, address } = refusal;
    const project = caller?.projectId ?? '';
    const from = addressGroup(address);
    const actor = caller === null ? `address:${from}` : actorOf(caller);
    const name = [project, actor, from, code, method, route].join(' ');
    if (groups.has(name) || (counts.get(project) ?? 0) < maxGroups) {
      return { name, group: { refusal, actor, unwritten: 0 } };
    }
    const others: Refusal = { ...refusal, method: 'ANY', route: 'other routes', address: 'many' };
    const kept = caller === null ? 'address:many' : 'key:many';
    return { name: `${project} ${code} others`, group: { refusal: others, actor: kept, unwritten: 0 } };
  }

  function note(refusal: Refusal): void {
    const { name, group } = groupOf(refusal);
    const known = groups.get(name);
    if (known) {
      known.unwritten++;
      return;
    }
    const project = refusal.caller?.projectId ?? '';
    counts.set(project, (counts.get(project) ?? 0) + 1);
    groups.set(name, group);
    begin(group, 1);
  }

  async function flush(): Promise<void> {
    const before = groups;
    groups = new Map();
    counts = new Map();
    for (const group of before.values()) if (group.unwritten > 0) begin(group, group.unwritten);
    await Promise.all(writing);
  }

  const timer = setInterval(() => void flush(), windowMs);
  timer.unref();
  return {
    note,
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
