import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf, type OwnPostgres } from '@spillway/testing';
import type pg from 'pg';

/** Statements as Postgres executed them, by the name under which they were prepared. */
export type Statements = Map<string, string>;

/** Logs every statement of every session from now on. */
export async function logStatements(postgres: OwnPostgres): Promise<void> {
  await rowsOf(postgres.url, `ALTER SYSTEM SET log_statement = 'all'`);
  await rowsOf(postgres.url, 'SELECT pg_reload_conf()');
}

/** Statements without a name, which Prisma sends, have their text as the name. */
export async function loggedStatements(postgres: OwnPostgres): Promise<Statements> {
  const log = await readFile(join(postgres.folder, 'postgres.log'), 'utf8');
  const found: Statements = new Map();
  // Lines of a statement after its first one begin with a tab.
  for (const [, name, text] of log.matchAll(/LOG:  execute ([^:]+): (.*(?:\n\t.*)*)/g)) {
    if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text!))
      found.set(name!.startsWith('<unnamed>') ? text! : name!, text!);
  }
  return found;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
  [detail: string]: unknown;
}

/** An equality with one value or one column; `= ANY` would be several projects. */
const ofOneProject = (alias: string): RegExp =>
  new RegExp(
    `(?<![\\w.])(?:${alias}(?:_\\d+)?\\.)?project_id = (?!ANY)|= ${alias}(?:_\\d+)?\\.project_id\\b`,
  );

/** With a parameter or a constant. Tables that are only joined with each other are read for every project. */
const ofGivenProject = /project_id = \(?(?:\$\d|')|\$\d+\)?(?:::uuid)? = (?:\w+\.)?project_id/;

/**
 * The tables that a statement reads without naming one project: their scans have no condition on `project_id`, and
 * neither has a join above them. The plan is the generic one, made as a superuser, so that row-level security adds
 * no condition of its own.
 */
export async function tablesOfAllProjects(
  database: pg.Client,
  text: string,
  withProject: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = [];
  const scanned: string[] = [];
  let isGiven = false;
  const visit = (node: PlanNode, above: readonly string[]): void => {
    const here = Object.entries(node).flatMap(([key, value]) =>
      /(Cond|Filter)$/.test(key) && typeof value === 'string' ? [value] : [],
    );
    const table = node['Relation Name'];
    const isScan = node['Node Type'].includes('Scan');
    isGiven ||= here.some((condition) => ofGivenProject.test(condition));
    if (table && isScan && withProject.has(table)) {
      scanned.push(table);
      const below = (node.Plans ?? []).map((plan) => plan['Index Cond'] ?? '');
      const pattern = ofOneProject(node.Alias ?? table);
      if (![...here, ...below, ...above].some((condition) => pattern.test(condition))) found.push(table);
    }
    for (const plan of node.Plans ?? []) visit(plan, [...above, ...here]);
  };
  visit(await genericPlan(database, text), []);
  return [...new Set(isGiven ? found : scanned)];
}

/** The key by which the rows of one thread or one output are found: `uid` or `id` of `threads`, `thread_uid` elsewhere. */
const ofOneThread = /(?<![\w.])(?:uid|id|thread_uid|output_id) = /;

/**
 * The tables of which a statement reads more than single rows or single threads: their scans have no index condition
 * on such a key. The plan is the generic one, and depends on what Postgres knows of the tables at this moment.
 */
export async function tablesOfManyThreads(
  database: pg.Client,
  text: string,
  withThread: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = [];
  const visit = (node: PlanNode): void => {
    const table = node['Relation Name'];
    if (table && node['Node Type'].includes('Scan') && withThread.has(table)) {
      const conditions = [node, ...(node.Plans ?? [])].map((each) => each['Index Cond'] ?? '');
      if (!conditions.some((condition) => ofOneThread.test(condition))) found.push(table);
    }
    node.Plans?.forEach(visit);
  };
  visit(await genericPlan(database, text));
  return [...new Set(found)];
}

async function genericPlan(database: pg.Client, text: string): Promise<PlanNode> {
  const { rows } = await database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  return rows[0]!['QUERY PLAN'][0]!.Plan;
}

/** Tables that have this column in every row. */
export async function tablesWithColumn(databaseUrl: string, column: string): Promise<Set<string>> {
  const rows = await rowsOf<{ name: string }>(
    databaseUrl,
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = $1`,
    [column],
  );
  return new Set(rows.map(({ name }) => name));
}
